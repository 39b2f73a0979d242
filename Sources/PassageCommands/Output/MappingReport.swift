internal import Passage

/// A mapping model, as text and as JSON.
struct MappingReport {
  private let mapping: MappingModel
  private let notes: Diagnostics
  private let path: String

  /// - Parameter notes: the remarks of the reader of an Xcode mapping model.
  init(_ mapping: MappingModel, notes: Diagnostics, path: String) {
    self.mapping = mapping
    self.notes = notes
    self.path = path
  }

  /// - Parameter command: the name of the subcommand.
  func result(command: String) -> CommandResult { CommandResult(text: text, json: json(command)) }

  // MARK: Text

  private var text: OutputText {
    let count = Int64(mapping.entityMappings.count)
    var lines = OutputText(notes)
    lines += [
      "\(path): mapping model “\(mapping.name)” from “\(mapping.source.value)” to "
        + "“\(mapping.destination.value)”, \(NumberText.count(count, "entity mapping"))"
    ]
    for entity in mapping.entityMappings {
      let ends = [entity.sourceEntityName, entity.destinationEntityName]
        .map { $0?.value ?? "nothing" }
      lines += ["", "  \(entity.name.value)  \(entity.kind.rawValue)  \(ends[0]) → \(ends[1])"]
      if let filter = entity.filter { lines.append("    filter  \(filter.value)") }
      if let policy = entity.policy { lines.append("    policy  \(policy.name.value)") }
      if let draft = entity.draft { lines.append("    draft  \(draft.value)") }
      lines += (entity.attributeMappings + entity.relationshipMappings).map {
        "    \($0.name.value)  \(Self.words($0))"
      }
    }
    return lines
  }

  private static func words(_ property: PropertyMapping) -> String {
    let fallback = property.fallback.map { ", or \($0.value) where that is nil" } ?? ""
    let source =
      switch property.source {
      case .sameName: "the same property of the source"
      case .leftAtDefault: "left at its default"
      case .expression(let text): text.value
      }
    return source + fallback + (property.draft.map { "  (draft: \($0.value))" } ?? "")
  }

  // MARK: JSON

  private func json(_ command: String) -> JSONText {
    .object([
      ("command", .string(command)), ("kind", .string("mappingModel")),
      ("path", .path(path)), ("name", .string(mapping.name)),
      ("source", .string(mapping.source.value)),
      ("destination", .string(mapping.destination.value)),
      ("entityMappings", .list(mapping.entityMappings.map(Self.json))),
      ("notes", .list(notes.all.map(\.json))),
    ])
  }

  private static func json(_ entity: EntityMapping) -> JSONText {
    .object([
      ("name", .string(entity.name.value)), ("type", .string(entity.kind.rawValue)),
      ("source", .optional(entity.sourceEntityName?.value)),
      ("destination", .optional(entity.destinationEntityName?.value)),
      ("filter", .optional(entity.filter?.value)),
      ("policy", .optional(entity.policy?.name.value)),
      ("attributes", .list(entity.attributeMappings.map(json))),
      ("relationships", .list(entity.relationshipMappings.map(json))),
      ("draft", .optional(entity.draft?.value)),
    ])
  }

  private static func json(_ property: PropertyMapping) -> JSONText {
    var value: JSONText = .null
    var kind = "default"
    switch property.source {
    case .sameName: kind = "sameName"
    case .leftAtDefault: break
    case .expression(let text):
      kind = "expression"
      value = .string(text.value)
    }
    return .shortObject([
      ("name", .string(property.name.value)), ("from", .string(kind)), ("value", value),
      ("default", .optional(property.fallback?.value)), ("draft", .optional(property.draft?.value)),
    ])
  }
}
