internal import FoundationEssentials
internal import Passage

/// A model, as text and as JSON.
struct ModelReport {
  private let read: ReadModel
  private let path: String

  init(_ read: ReadModel, path: String) {
    self.read = read
    self.path = path
  }

  var result: CommandResult { CommandResult(text: text, json: json) }

  private var text: String {
    let model = read.model
    var lines = read.remarks.warnings.map(DiagnosticText.text)
    lines += ["\(path): model “\(model.name)”", ""]
    lines += model.entities.flatMap { ModelText.lines($0, model: model, count: nil) + [""] }
    lines += ["  digest    \(model.versionHashesDigest)", "  checksum  \(model.versionChecksum)"]
    return lines.joined(separator: "\n")
  }

  private var json: JSONText {
    let model = read.model
    return .object(
      [
        ("command", .string(InspectCommand.name)), ("kind", .string("model")),
        ("path", .string(path)), ("name", .string(model.name)),
        ("versionIdentifiers", .strings(model.versionIdentifiers)),
      ] + model.jsonMembers(counts: nil)
        + [("warnings", .list(read.remarks.warnings.map(\.json)))])
  }
}

/// An entity in lines of text.
enum ModelText {
  /// - Parameter count: the objects of the entity in a store.
  static func lines(_ entity: Entity, model: Model, count: Int64?) -> [String] {
    var traits: [String] = []
    if entity.isAbstract { traits.append("abstract") }
    if let parent = entity.parentName { traits.append("is a \(parent)") }
    if let count { traits.append(NumberText.count(count, "object")) }
    let title = entity.name + (traits.isEmpty ? "" : " (\(traits.joined(separator: ", ")))")
    return ["  \(title)", "    hash \(model.versionHash(of: entity).base64)"]
      + entity.attributes.map { "    \($0.name): \(attribute($0))" }
      + entity.relationships.map { "    \($0.name): \(relationship($0))" }
  }

  private static func attribute(_ attribute: Attribute) -> String {
    var words = [attribute.type.name]
    if !attribute.isOptional { words.append("required") }
    if attribute.isTransient { words.append("transient") }
    if attribute.derivation != nil { words.append("derived") }
    return words.joined(separator: ", ")
  }

  private static func relationship(_ relationship: Relationship) -> String {
    var words = [
      (relationship.isToMany ? "to many " : "to one ") + relationship.destinationEntityName
    ]
    if let inverse = relationship.inverseName { words.append("inverse \(inverse)") }
    if !relationship.isOptional { words.append("required") }
    if relationship.isOrdered { words.append("ordered") }
    if relationship.isTransient { words.append("transient") }
    return words.joined(separator: ", ")
  }
}

extension [UInt8] {
  var base64: String { Data(self).base64EncodedString() }
}
