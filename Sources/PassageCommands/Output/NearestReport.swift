internal import Passage

/// The known version that is most similar to a store of no known version, as text and as JSON.
struct NearestReport {
  let nearest: NearestModel
  let storePath: String

  /// How many lines of differences are printed as text; JSON has all of them.
  private static let maximumLines = 100

  // MARK: Text

  /// The lines above the differences.
  var headLines: [String] {
    var lines = ["  nearest   “\(nearest.model.name)”\(tieText), \(nearest.evidence.sentence)"]
    if nearest.isNewer {
      lines.append("            the store seems to be newer than every known version")
    }
    if nearest.isOnlyUnproved {
      lines.append(
        "            it may be this version: no hash can be computed with certainty")
    }
    if let configuration = nearest.configuration {
      lines.append(
        "            the store has only the entities of its configuration “\(configuration.name)”")
    }
    return lines
  }

  /// The remedy for what was found.
  var remedy: String {
    if let configuration = nearest.configuration { return configuration.remedy }
    if nearest.isOnlyUnproved {
      return "record the store's hashes in the model (“versionHash”), or give the model that the "
        + "store was written with: --models PATH"
    }
    let own =
      nearest.evidence == .kept
      ? "; the one inside the store can be used: --models \(ShellText.word(storePath))" : ""
    return nearest.isNewer
      ? "add the app's newest model to the history, or name it: --models PATH\(own)"
      : "name the model that the store was written with: --models PATH\(own)"
  }

  /// The differences, from the nearest version to the store.
  var differenceLines: [String] {
    let lines = nearest.lines
    guard lines.count > Self.maximumLines else { return lines }
    return lines.prefix(Self.maximumLines)
      + ["and \(NumberText.count(Int64(lines.count - Self.maximumLines))) more, see --format json"]
  }

  private var tieText: String {
    nearest.ties.isEmpty
      ? "" : " (equally near: \(nearest.ties.map { "“\($0)”" }.joined(separator: ", ")))"
  }

  // MARK: JSON

  var json: JSONText {
    let compatibility = nearest.compatibility
    return .object([
      ("version", .string(nearest.model.name)), ("asNear", .strings(nearest.ties)),
      ("configuration", .optional(nearest.configuration?.name)),
      ("evidence", .string(nearest.evidence.rawValue)),
      ("storeIsNewer", .bool(nearest.isNewer)),
      ("onlyUnprovedHashes", .bool(nearest.isOnlyUnproved)),
      ("otherHashes", .strings(compatibility.changed)),
      ("onlyInStore", .strings(compatibility.onlyInStore)),
      ("onlyInVersion", .strings(compatibility.onlyInModel)),
      (
        "changes",
        nearest.difference.map { difference in
          .list(
            difference.changed.flatMap { entity in
              entity.changes.map { Self.json($0, of: entity.name) }
            })
        } ?? .null
      ),
    ])
  }

  private static func json(_ change: ModelChange, of entity: String) -> JSONText {
    var kind = "changed"
    var property: (kind: String, name: String)?
    var trait: ModelTrait?
    var from: String?
    switch change {
    case .entityRenamed(let old, _): (kind, from) = ("renamed", old)
    case .entityTrait(let changed): trait = changed
    case .added(let of, let name, _): (kind, property) = ("added", (of.rawValue, name))
    case .removed(let of, let name, _): (kind, property) = ("removed", (of.rawValue, name))
    case .renamed(let of, let old, let name):
      (kind, property, from) = ("renamed", (of.rawValue, name), old)
    case .trait(let of, let name, let changed):
      (property, trait) = ((of.rawValue, name), changed)
    }
    return .shortObject([
      ("entity", .string(entity)), ("change", .string(kind)),
      ("propertyKind", .optional(property?.kind)), ("property", .optional(property?.name)),
      ("trait", .optional(trait?.name)), ("from", .optional(trait?.from ?? from)),
      ("to", .optional(trait?.to)), ("sentence", .string("\(change)")),
    ])
  }
}
