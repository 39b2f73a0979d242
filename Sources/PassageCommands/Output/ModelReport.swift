internal import Passage
internal import PassagePlatform

/// A model, as text and as JSON.
struct ModelReport {
  private let read: ReadModel
  private let path: String
  /// The versions of the bundle it was read from; `nil` for a file with one model.
  private let versions: ModelVersions?

  init(_ read: ReadModel, path: String, versions: ModelVersions?) {
    self.read = read
    self.path = path
    self.versions = versions
  }

  /// - Parameter command: the name of the subcommand.
  func result(command: String) -> CommandResult { CommandResult(text: text, json: json(command)) }

  private var text: OutputText {
    let model = read.model
    var lines = OutputText(Diagnostics(read.remarks.warnings))
    lines.append("\(path): model “\(model.name)”")
    if let versions {
      let names = versions.names.map { $0 == versions.current ? "\($0) (current)" : $0 }
      lines.append("  versions  \(names.joined(separator: ", "))")
    }
    for configuration in model.configurations {
      lines.append(
        "  configuration “\(configuration.name)”: \(configuration.entityNames.joined(separator: ", "))"
      )
    }
    for request in model.fetchRequestTemplates {
      lines.append("  fetch request “\(request.name)”: \(request.entityName ?? "no entity")")
    }
    lines.append("")
    let hashes = model.versionHashes
    lines += model.entities.flatMap {
      ModelText.lines($0, model: model, hash: hashes[$0.name] ?? []) + [""]
    }
    lines += [
      "  digest    \(Model.versionHashesDigest(of: hashes))",
      "  checksum  \(Model.versionChecksum(of: hashes))",
    ]
    return lines
  }

  private func json(_ command: String) -> JSONText {
    let model = read.model
    return .object(
      [
        ("command", .string(command)), ("kind", .string("model")),
        ("path", .path(path)), ("name", .string(model.name)),
        ("versionIdentifiers", .strings(model.versionIdentifiers)),
        (
          "versions", versions.map { .strings($0.names) } ?? .null
        ), ("currentVersion", .optional(versions?.current)),
        ("entities", model.entitiesJSON),
        ("versionHashesDigest", .string(model.versionHashesDigest)),
        ("versionChecksum", .string(model.versionChecksum)),
        ("configurations", .list(model.configurations.map(Self.json))),
        ("fetchRequests", .list(model.fetchRequestTemplates.map(Self.json))),
        ("warnings", .list(read.remarks.warnings.map(\.json))),
        ("notes", .list(read.remarks.all.filter { $0.severity == .note }.map(\.json))),
      ])
  }
}

extension ModelReport {
  private static func json(_ configuration: Model.Configuration) -> JSONText {
    .shortObject([
      ("name", .string(configuration.name)), ("entities", .strings(configuration.entityNames)),
    ])
  }

  private static func json(_ request: Model.FetchRequest) -> JSONText {
    .shortObject([
      ("name", .string(request.name)), ("entity", .optional(request.entityName)),
      ("predicate", .optional(request.predicate)),
    ])
  }
}

/// The text for an entity.
enum ModelText {
  /// The lines for an entity of a model file, with its version hash. The origin of the hash is
  /// added unless it was computed by rules that stores confirm.
  static func lines(_ entity: Entity, model: Model, hash: [UInt8]) -> [String] {
    let origin =
      switch model.hashOrigin(of: entity) {
      case .computed: ""
      case .recorded: " (recorded)"
      case .unproved: " (unproved: it may differ from Core Data's)"
      }
    return lines(entity, hash: hash.base64 + origin, count: nil)
  }

  /// - Parameters:
  ///   - hash: the text of the entity's version hash; `nil` if there is none.
  ///   - count: the number of objects of the entity in a store.
  static func lines(_ entity: Entity, hash: String?, count: Int64?) -> [String] {
    var traits: [String] = []
    if entity.isAbstract { traits.append("abstract") }
    if let parent = entity.parentName { traits.append("is a \(parent)") }
    if let count { traits.append(NumberText.count(count, "object")) }
    let title = entity.name + (traits.isEmpty ? "" : " (\(traits.joined(separator: ", ")))")
    return ["  \(title)", "    hash \(hash ?? "none")"]
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
