package import PassageDiagnostics

/// Where the parts of a model are in the file they were read from, so that mistakes found later
/// can be shown in their place. Kept beside the ``Model``, never in it.
package struct ModelLocations: Sendable, Hashable {
  /// A part of a model, by names: an entity, one of its properties or indexes, one member of either.
  package struct Part: Sendable, Hashable {
    /// An entity's name; `nil` for the model itself.
    package var entity: String?
    /// A property's name, or an index's after the word `index`; `nil` for the entity itself.
    package var property: String?
    /// A member's name in this project's JSON; `nil` for the whole part.
    package var member: String?

    /// Names a part; without arguments, the model itself.
    package init(entity: String? = nil, property: String? = nil, member: String? = nil) {
      self.entity = entity
      self.property = property
      self.member = member
    }
  }

  /// The file; `nil` for a model that was made in code.
  package var file: String?
  private var places: [Part: [SourceLocation]] = [:]

  /// Makes a table without places.
  package init(file: String? = nil) { self.file = file }

  /// Notes the place of a part. A part that occurs twice keeps both places, in order.
  package mutating func note(_ location: SourceLocation, of part: Part) {
    places[part, default: []].append(location)
  }

  /// The place of the part, or of the smallest known part that holds it.
  ///
  /// - Parameters:
  ///   - part: the part of the model.
  ///   - last: whether the last of several places is meant: for a name that occurs twice.
  package func location(of part: Part, last: Bool = false) -> SourceLocation? {
    var part = part
    while true {
      if let found = places[part] { return last ? found.last : found.first }
      if part.member != nil {
        part.member = nil
      } else if part.property != nil {
        part.property = nil
      } else if part.entity != nil {
        part.entity = nil
      } else {
        return file.map { SourceLocation(file: $0) }
      }
    }
  }
}
