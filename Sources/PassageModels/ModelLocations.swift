package import PassageDiagnostics

/// The locations of a model's parts in the file they were read from, so that later mistakes can be
/// reported with a location. They are kept beside the ``Model``, never in it.
package struct ModelLocations: Sendable, Hashable {
  /// A part of a model, named by an entity, one of its properties or indexes, or one member of
  /// either.
  package struct Part: Sendable, Hashable {
    /// An entity's name; `nil` for the model itself.
    package var entity: String?
    /// A property's name, or an index's after the word `index`; `nil` for the entity itself.
    package var property: String?
    /// A member's name in this project's JSON; `nil` for the whole part.
    package var member: String?

    /// Creates the name of a part; without arguments, that of the model itself.
    package init(entity: String? = nil, property: String? = nil, member: String? = nil) {
      self.entity = entity
      self.property = property
      self.member = member
    }
  }

  /// The file; `nil` for a model that was created in code.
  package var file: String?
  private var places: [Part: [SourceLocation]] = [:]

  /// Creates an empty table.
  package init(file: String? = nil) { self.file = file }

  /// Records the location of a part. A part that occurs twice has both locations, in order.
  package mutating func note(_ location: SourceLocation, of part: Part) {
    places[part, default: []].append(location)
  }

  /// The location of the part, or of the smallest enclosing part that has one.
  ///
  /// - Parameters:
  ///   - part: the part of the model.
  ///   - last: whether to return the last of several locations, for a name that occurs twice.
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
