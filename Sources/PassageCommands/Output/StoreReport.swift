internal import Passage

/// A store, as text and as JSON.
struct StoreReport {
  /// What was found out about a store.
  struct Facts {
    var description: StoreDescription
    var metadata: StoreMetadata
    /// The known model with the store's version hashes.
    var model: Model?
    /// Objects by entity name; `nil` where the model is not known.
    var counts: [String: Int64]?
    /// Why the store's tables do not fit its model.
    var layoutError: String?
  }

  private let facts: Facts

  init(_ facts: Facts) { self.facts = facts }

  var result: CommandResult { CommandResult(text: text, json: json) }

  private var hashNames: [String] {
    facts.description.versionHashes.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  // MARK: Text

  private var text: String {
    let store = facts.description
    var lines = ["\(store.path): store \(store.storeUUID)", ""]
    lines.append("  version   \(facts.model.map { "“\($0.name)”" } ?? "unknown")")
    if !store.modelVersionIdentifiers.isEmpty {
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
    if let error = facts.layoutError { lines.append("  its tables do not fit its model: \(error)") }
    lines.append("")
    if let model = facts.model {
      lines += model.entities.flatMap {
        ModelText.lines($0, model: model, count: facts.counts?[$0.name]) + [""]
      }
    } else {
      lines += hashNames.flatMap { ["  \($0)", "    hash \(hash($0))"] } + [""]
      lines += tableLines + [""]
    }
    lines += ["  digest    \(digest)", "  checksum  \(checksum)"]
    return lines.joined(separator: "\n")
  }

  private var sizes: String {
    let store = facts.description
    var parts: [String] = []
    if store.walBytes > 0 { parts.append("\(NumberText.bytes(store.walBytes)) in its log") }
    if store.externalBytes > 0 {
      parts.append("\(NumberText.bytes(store.externalBytes)) in files of their own")
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

  /// Older stores carry neither; both follow from the hashes.
  private var digest: String {
    facts.metadata.versionHashesDigest
      ?? Model.versionHashesDigest(of: facts.description.versionHashes)
  }
  private var checksum: String {
    facts.metadata.versionChecksum ?? Model.versionChecksum(of: facts.description.versionHashes)
  }

  // MARK: JSON

  private var json: JSONText {
    let store = facts.description
    var members: [(name: String, value: JSONText)] = [
      ("command", .string(InspectCommand.name)), ("kind", .string("store")),
      ("path", .string(store.path)), ("storeUUID", .string(store.storeUUID)),
      ("version", .optional(facts.model?.name)),
      ("modelVersionIdentifiers", .strings(store.modelVersionIdentifiers)),
      ("frameworkVersion", store.frameworkVersion.map { .integer($0) } ?? .null),
      ("journalMode", .string(store.journalMode)), ("pageBytes", .integer(store.pageBytes)),
      ("mainBytes", .integer(store.mainBytes)), ("walBytes", .integer(store.walBytes)),
      ("externalBytes", .integer(store.externalBytes)),
      ("hasModelCache", .bool(store.hasModelCache)),
      ("hasPersistentHistory", .bool(store.hasPersistentHistory)),
      ("appMetadataKeys", .strings(store.appMetadataKeys)),
      ("layoutError", .optional(facts.layoutError)),
      (
        "tables",
        .list(
          store.tables.map {
            .shortObject([("name", .string($0.name)), ("rows", .integer($0.rows))])
          })
      ),
    ]
    if let model = facts.model {
      members += model.jsonMembers(counts: facts.counts)
    } else {
      members += [
        (
          "entities",
          .list(
            hashNames.map {
              .shortObject([("name", .string($0)), ("versionHash", .string(hash($0)))])
            })
        ), ("versionHashesDigest", .string(digest)), ("versionChecksum", .string(checksum)),
      ]
    }
    return .object(members)
  }
}
