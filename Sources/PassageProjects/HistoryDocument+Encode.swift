internal import PassageDiagnostics
internal import PassageModels

extension HistoryDocument {
  /// The value of `$schema` in a history that this project writes.
  package static let schemaReference = "Schemas/history.schema.json"

  /// The history as JSON, with a final line break. Reading it gives an equal history.
  ///
  /// - Parameters:
  ///   - history: the history to write.
  ///   - schema: the value of `$schema`; `nil` to omit it.
  package static func encode(_ history: History, schema: String? = schemaReference) -> String {
    var members: [(name: String, value: JSONText)] = []
    if let schema { members.append(("$schema", .string(schema))) }
    if let store = history.store { members.append(("store", .string(store.value))) }
    members.append(
      (
        "versions",
        .list(
          history.versions.map {
            .shortObject([("name", .string($0.name.value)), ("model", .string($0.model.value))])
          })
      ))
    members.append(
      (
        "steps",
        .list(
          history.steps.map { step in
            .shortObject([
              ("from", .string(step.from.value)), ("to", .string(step.to.value)),
              ("mappings", .shortList(step.mappings.map { .string($0.value) })),
            ])
          })
      ))
    return JSONText.object(members).rendered() + "\n"
  }
}
