internal import PassageDiagnostics
internal import PassageModels
internal import PassagePlatform

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
          history.versions.map { version in
            let members = [
              ("name", JSONText.string(version.name.value)),
              ("model", .string(version.model.value)),
            ]
            guard let hashes = version.hashes else { return .shortObject(members) }
            return .object(members + [("versionHashes", encode(hashes))])
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
    if history.check != History.Check() { members.append(("check", encode(history.check))) }
    return JSONText.object(members).rendered() + "\n"
  }

  /// Version hashes by entity, in Base64, a line for each.
  private static func encode(_ hashes: [String: [UInt8]]) -> JSONText {
    .object(
      hashes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { ($0.key, .string(Data($0.value).base64EncodedString())) })
  }

  private static func encode(_ check: History.Check) -> JSONText {
    var members: [(name: String, value: JSONText)] = []
    if !check.levels.isEmpty {
      members.append(
        (
          "levels",
          .object(
            check.levels.map { level in
              let severity = JSONText.string(level.severity.rawValue)
              guard let reason = level.reason else { return (level.code.value, severity) }
              return (
                level.code.value,
                .shortObject([("level", severity), ("reason", .string(reason))])
              )
            })
        ))
    }
    if !check.exceptions.isEmpty {
      members.append(
        (
          "exceptions",
          .list(
            check.exceptions.map { exception in
              let places = History.Check.Place.allCases.compactMap { place in
                exception.places[place].map { (place.rawValue, JSONText.string($0)) }
              }
              return .object(
                [("code", .string(exception.code.value))] + places
                  + [("reason", .string(exception.reason))])
            })
        ))
    }
    return .object(members)
  }
}
