package import PassageDiagnostics
internal import PassagePlanning

/// A history's JSON file. Reading it reports all mistakes in it. `history.schema.json` describes
/// it.
package enum HistoryDocument {
  package static let historyMembers = ["store", "versions", "steps", "check"]
  package static let versionMembers = ["name", "model", "versionHashes"]
  package static let stepMembers = ["from", "to", "mappings"]

  /// Reads a history.
  ///
  /// - Throws: all mistakes that are found: `MAP-001` (not JSON), `PLN-001` (a member is missing,
  ///   unknown or of the wrong kind), `PLN-002` (a version occurs twice), `PLN-003` (a step names
  ///   an unknown version, or leads from a version to itself), `PLN-004` (two steps lead from and
  ///   to the same versions), `PLN-023` (a step has too many mapping models).
  package static func decode(_ bytes: [UInt8], file: String) throws(Diagnostics) -> History {
    let root: JSONNode
    do {
      root = try JSONParser.parse(bytes, file: file)
    } catch {
      throw Diagnostics([error])
    }
    var decoding = JSONDecoding(code: "PLN-001")
    let history = history(root, &decoding)
    if let history { check(history, &decoding) }
    try decoding.diagnostics.throwIfErrors()
    guard let history else { throw decoding.diagnostics }
    return history
  }

  private static func history(_ root: JSONNode, _ decoding: inout JSONDecoding) -> History? {
    guard
      let members = decoding.members(
        of: root, "a history", known: historyMembers, required: ["versions"])
    else { return nil }
    var history = History(versions: [], steps: [])
    history.store = located(members["store"], "“store”", &decoding)
    for node in decoding.array(members["versions"], "“versions”") {
      guard
        let members = decoding.members(
          of: node, "a version", known: versionMembers, required: ["name", "model"]),
        let name = located(members["name"], "“name”", &decoding),
        let model = located(members["model"], "“model”", &decoding)
      else { continue }
      var version = History.Version(name: "", model: "")
      if name.value.isEmpty {
        decoding.report(
          Diagnostic(
            "PLN-001", "the name of a version is empty", at: name.location,
            remedy: "name the version, such as “1”"))
      }
      version.name = name
      version.model = model
      version.hashes = hashes(members["versionHashes"], &decoding)
      history.versions.append(version)
    }
    for node in decoding.array(members["steps"], "“steps”") {
      guard
        let members = decoding.members(
          of: node, "a step", known: stepMembers, required: stepMembers),
        let from = located(members["from"], "“from”", &decoding),
        let to = located(members["to"], "“to”", &decoding)
      else { continue }
      var step = History.Step(from: "", to: "", mappings: [])
      step.from = from
      step.to = to
      step.mappings = decoding.array(members["mappings"], "“mappings”")
        .compactMap { located($0, "a mapping model's name", &decoding) }
      history.steps.append(step)
    }
    if let node = members["check"] { history.check = check(node, &decoding) }
    return history
  }

  private static func check(_ history: History, _ decoding: inout JSONDecoding) {
    var names: Set<String> = []
    for version in history.versions where !names.insert(version.name.value).inserted {
      decoding.report(
        Diagnostic(
          "PLN-002", "the version “\(version.name.value)” occurs twice", at: version.name.location
        ))
    }
    var similar = SimilarNames()
    var pairs: Set<[String]> = []
    for step in history.steps {
      for end in [step.from, step.to] where !names.contains(end.value) {
        decoding.report(
          Diagnostic(
            "PLN-003", "there is no version “\(end.value)”", at: end.location,
            remedy: similar.suggestion(for: end.value) { history.versions.map(\.name.value) }
              ?? "name it in “versions”"))
      }
      if step.from == step.to {
        decoding.report(
          Diagnostic(
            "PLN-003", "a step leads from the version “\(step.from.value)” to itself",
            at: step.to.location))
      }
      if !pairs.insert([step.from.value, step.to.value]).inserted {
        decoding.report(
          Diagnostic(
            "PLN-004",
            "two steps lead from “\(step.from.value)” to “\(step.to.value)”",
            at: step.from.location,
            remedy: "put the mapping models of both into one step"))
      }
      if step.mappings.count > Planner.maximumPasses {
        decoding.report(
          Planner.tooManyPasses(
            step.mappings.count, from: step.from.value, to: step.to.value, at: step.from.location))
      }
    }
  }

  static func located(
    _ node: JSONNode?, _ what: String, _ decoding: inout JSONDecoding
  ) -> Located<String>? {
    guard let node, let text = decoding.string(node, what) else { return nil }
    return Located(text, at: node.location)
  }
}
