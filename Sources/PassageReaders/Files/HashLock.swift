internal import PassageDiagnostics
internal import PassageModels
internal import PassagePlatform

/// A file beside a model that records version hashes for it: `Notes.xcdatamodeld.lock.json` beside
/// `Notes.xcdatamodeld`.
///
/// ```json
/// { "versions": { "Notes 2": { "Event": "D3pH…=" } } }
/// ```
/// It holds hashes that cannot be computed with certainty, as `migrate inspect` prints them for a
/// store or a compiled model. Other hashes in it are compared with the computed ones.
struct HashLock {
  /// Each version's hashes, by version and entity name.
  private(set) var versions: [String: [String: [UInt8]]] = [:]
  /// The place of each hash, by version and entity name.
  private var places: [String: [String: SourceLocation]] = [:]
  /// The places of the versions' names.
  private var versionPlaces: [(name: String, place: SourceLocation)] = []
  private let file: String

  private static let suffix = ".lock.json"

  /// Reads the file beside a model; `nil` if there is none.
  ///
  /// - Throws: `MOD-131` for every mistake in it.
  init?(beside model: FoundFile) throws(Diagnostics) {
    guard let found = try FoundFile(path: model.path + Self.suffix), !found.isDirectory else {
      return nil
    }
    file = found.path
    let root: JSONNode
    do {
      root = try JSONParser.parse(
        found.read(maximumBytes: JSONParser.maximumBytes), file: found.path)
    } catch let mistake as Diagnostic {
      var mistake = mistake
      mistake.code = "MOD-131"
      throw Diagnostics([mistake])
    } catch {
      throw (error as? Diagnostics) ?? Diagnostics([])
    }
    var json = JSONDecoding(code: "MOD-131")
    let members = json.members(
      of: root, "the lock file", known: ["versions"], required: ["versions"])
    for version in Self.members(members?["versions"], "“versions”", &json) {
      versionPlaces.append((version.name, version.nameLocation))
      for entity in Self.members(version.value, "the version “\(version.name)”", &json) {
        guard let text = json.string(entity.value, "a version hash") else { continue }
        guard let bytes = Data(base64Encoded: text), bytes.count == 32 else {
          json.report(
            Diagnostic(
              "MOD-131", "the version hash of “\(entity.name)” is not valid",
              at: entity.value.location, reason: "a version hash is 32 bytes, written in base64"))
          continue
        }
        versions[version.name, default: [:]][entity.name] = Array(bytes)
        places[version.name, default: [:]][entity.name] = entity.value.location
      }
    }
    try json.diagnostics.throwIfErrors()
  }

  /// Refuses a version that the bundle does not have: its hashes would be left out in silence.
  ///
  /// - Parameter names: those of the bundle's versions.
  /// - Throws: `MOD-131`.
  func check(versions names: [String]) throws(Diagnostics) {
    let known = Set(names)
    var findings = Diagnostics()
    var similar = SimilarNames()
    for (name, place) in versionPlaces where !known.contains(name) {
      findings.append(
        Diagnostic(
          "MOD-131", "the bundle has no version “\(name)”", at: place,
          remedy: similar.suggestion(for: name) { names } ?? "remove the version from the lock file"
        ))
    }
    try findings.throwIfErrors()
  }

  /// Adds the recorded hashes to a model.
  ///
  /// - Throws: `MOD-044` for a hash that differs from the computed one, `MOD-131` for a hash of an
  ///   entity that the model does not have.
  func apply(to read: ReadModel) throws(Diagnostics) -> ReadModel {
    guard let hashes = versions[read.model.name] else { return read }
    var findings = Diagnostics()
    var similar = SimilarNames()
    let computed = read.model.versionHashes
    for (name, hash) in hashes.sorted(by: { $0.key < $1.key }) {
      let place = places[read.model.name]?[name] ?? SourceLocation(file: file)
      guard let entity = read.model.entity(named: name) else {
        findings.append(
          Diagnostic(
            "MOD-131", "the version “\(read.model.name)” has no entity “\(name)”", at: place,
            remedy: similar.suggestion(for: name) { read.model.entities.map(\.name) }))
        continue
      }
      let isOther =
        switch read.model.hashOrigin(of: entity) {
        case .computed: computed[name] != hash
        case .recorded: entity.recordedVersionHash != hash
        case .unproved: false
        }
      if isOther {
        findings.append(
          Diagnostic(
            "MOD-044", "the recorded version hash of “\(name)” is not that of the entity",
            at: place,
            reason:
              "the entity was changed after the hash was recorded, or the hash belongs to another entity",
            remedy: "remove the recorded hash, or undo the change"))
      }
    }
    try findings.throwIfErrors()
    var read = read
    read.model = read.model.recording(hashes)
    return read
  }

  private static func members(
    _ node: JSONNode?, _ what: String, _ json: inout JSONDecoding
  ) -> [JSONNode.Member] {
    guard let node else { return [] }
    if case .object(let members) = node.kind { return members }
    json.mismatch(node, what, expected: "an object")
    return []
  }
}
