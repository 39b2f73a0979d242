internal import Passage

/// A store, as text and as JSON.
struct StoreReport {
  /// What is known of a store.
  struct Facts {
    var description: StoreDescription
    var metadata: StoreMetadata
    /// The model that describes the store; `nil` if none could be read.
    var model: Model?
    /// The origin of that model.
    var modelSource: ModelSource
    /// Remarks on the model, as sentences.
    var remarks: [String] = []
    /// The number of objects by entity name; `nil` if the model is not known.
    var counts: [String: Int64]?
    /// Why the store's tables do not match its model.
    var layoutError: String?
  }

  /// The origin of the model that describes a store.
  enum ModelSource: String {
    /// A known model with exactly the store's version hashes.
    case known
    /// The model that Core Data archived in the store.
    case kept
    /// A guess from the store's tables.
    case guessed
    case none
  }

  private let facts: Facts

  init(_ facts: Facts) { self.facts = facts }

  /// - Parameter command: the name of the subcommand.
  func result(command: String) -> CommandResult { CommandResult(text: text, json: json(command)) }

  private var hashNames: [String] {
    facts.description.versionHashes.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  // MARK: Text

  private var text: OutputText {
    let store = facts.description
    var lines = ["\(store.path): store \(store.storeUUID)", ""]
    lines.append("  version   \(versionName.map { "“\($0)”" } ?? "unknown")\(sourceText)")
    if store.modelVersionIdentifiers.contains(where: { !$0.isEmpty }) {
      lines.append("  model     \(store.modelVersionIdentifiers.joined(separator: ", "))")
    }
    lines += [
      "  journal   \(store.journalMode)",
      "  size      \(NumberText.bytes(store.mainBytes))\(sizes)",
    ]
    if store.hasPersistentHistory { lines.append("  has persistent history") }
    if store.hasModelCache { lines.append("  has a cached model") }
    if !store.appMetadataKeys.isEmpty {
      lines.append("  metadata  \(store.appMetadataKeys.joined(separator: ", ")) (the app's own)")
    }
    lines += LedgerReport(facts.metadata).lines
    if let error = facts.layoutError { lines.append("  its tables do not fit its model: \(error)") }
    lines += facts.remarks.map { "  note      \($0)" }
    lines.append("")
    if let model = facts.model {
      lines += model.entities.flatMap {
        ModelText.lines($0, hash: recordedHash($0.name), count: facts.counts?[$0.name]) + [""]
      }
      let others = hashNames.filter { model.entity(named: $0) == nil }
      lines += others.flatMap { ["  \($0)", "    hash \(hash($0))", ""] }
    } else {
      lines += hashNames.flatMap { ["  \($0)", "    hash \(hash($0))"] } + [""]
      lines += tableLines + [""]
    }
    lines += ["  digest    \(digest)", "  checksum  \(checksum)"]
    return OutputText(lines: lines)
  }

  /// The name of a known version; the other models have no name that the user knows.
  private var versionName: String? { facts.modelSource == .known ? facts.model?.name : nil }

  private var sourceText: String {
    switch facts.modelSource {
    case .known: ""
    case .kept: "; described with the model inside it"
    case .guessed: "; it contains no model: described with one guessed from its tables"
    case .none: "; its model cannot be read"
    }
  }

  private func recordedHash(_ name: String) -> String? {
    facts.description.versionHashes[name]?.base64
  }

  private var sizes: String {
    let store = facts.description
    var parts: [String] = []
    if store.walBytes > 0 { parts.append("\(NumberText.bytes(store.walBytes)) in its log") }
    if store.externalBytes > 0 {
      parts.append("\(NumberText.bytes(store.externalBytes)) in files of external data")
    }
    return parts.isEmpty ? "" : ", " + parts.joined(separator: ", ")
  }

  private var tableLines: [String] {
    var table = TextTable([("table", .left), ("rows", .right)])
    for size in facts.description.tables { table.add([size.name, NumberText.count(size.rows)]) }
    return table.lines
  }

  private func hash(_ name: String) -> String {
    (facts.description.versionHashes[name] ?? []).base64
  }

  /// Older stores do not have them; both can be computed from the hashes.
  private var digest: String {
    facts.metadata.versionHashesDigest
      ?? Model.versionHashesDigest(of: facts.description.versionHashes)
  }
  private var checksum: String {
    facts.metadata.versionChecksum ?? Model.versionChecksum(of: facts.description.versionHashes)
  }

  // MARK: JSON

  private func json(_ command: String) -> JSONText {
    let store = facts.description
    var members: [(name: String, value: JSONText)] = [
      ("command", .string(command)), ("kind", .string("store")),
      ("path", .path(store.path)), ("storeUUID", .string(store.storeUUID)),
      ("version", .optional(versionName)),
      ("modelSource", .string(facts.modelSource.rawValue)),
      ("remarks", .list(facts.remarks.map { .string($0) })),
      ("modelVersionIdentifiers", .strings(store.modelVersionIdentifiers)),
      ("frameworkVersion", store.frameworkVersion.map { .integer($0) } ?? .null),
      ("journalMode", .string(store.journalMode)), ("pageBytes", .integer(store.pageBytes)),
      ("mainBytes", .integer(store.mainBytes)), ("walBytes", .integer(store.walBytes)),
      ("externalBytes", .integer(store.externalBytes)),
      ("hasModelCache", .bool(store.hasModelCache)),
      ("hasPersistentHistory", .bool(store.hasPersistentHistory)),
      ("appMetadataKeys", .strings(store.appMetadataKeys)),
      ("layoutError", .optional(facts.layoutError)), ("record", LedgerReport(facts.metadata).json),
      (
        "tables",
        .list(
          store.tables.map {
            .shortObject([("name", .string($0.name)), ("rows", .integer($0.rows))])
          })
      ),
    ]
    if let model = facts.model {
      members.append(
        (
          "entities",
          model.entitiesJSON(recordedHashes: store.versionHashes, counts: facts.counts)
        ))
    } else {
      members.append(
        (
          "entities",
          .list(
            hashNames.map {
              .shortObject([
                ("name", .string($0)), ("versionHash", .string(hash($0))),
                ("versionHashOrigin", .string("recorded")),
              ])
            })
        ))
    }
    members += [("versionHashesDigest", .string(digest)), ("versionChecksum", .string(checksum))]
    return .object(members)
  }
}
