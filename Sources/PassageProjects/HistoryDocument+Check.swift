internal import PassageDiagnostics
internal import PassagePlatform

/// What a check reads: the member “check”, and the hashes of released versions.
extension HistoryDocument {
  package static let checkMembers = ["levels", "exceptions"]
  package static let levelMembers = ["level", "reason"]
  package static let exceptionMembers =
    ["code"] + History.Check.Place.allCases.map(\.rawValue) + ["reason"]

  static func check(_ node: JSONNode, _ decoding: inout JSONDecoding) -> History.Check {
    var check = History.Check()
    guard let members = decoding.members(of: node, "“check”", known: checkMembers) else {
      return check
    }
    if let levels = members["levels"] {
      if case .object(let members) = levels.kind {
        check.levels = members.compactMap { level($0, &decoding) }
      } else {
        decoding.mismatch(levels, "“levels”", expected: "an object with a member for each code")
      }
    }
    check.exceptions = decoding.array(members["exceptions"], "“exceptions”")
      .compactMap { exception($0, &decoding) }
    return check
  }

  /// `"CHK-003": "error"`, or `"CHK-003": { "level": "note", "reason": "…" }`.
  private static func level(
    _ member: JSONNode.Member, _ decoding: inout JSONDecoding
  ) -> History.Check.Level? {
    var node: JSONNode? = member.value
    var reason: String?
    if case .object = member.value.kind {
      guard
        let members = decoding.members(
          of: member.value, "a level", known: levelMembers, required: levelMembers)
      else { return nil }
      node = members["level"]
      reason = written(members["reason"], &decoding)
    }
    return decoding.word(node, "the level of “\(member.name)”", as: Diagnostic.Severity.self).map {
      History.Check.Level(
        code: Located(member.name, at: member.nameLocation), severity: $0, reason: reason)
    }
  }

  private static func exception(
    _ node: JSONNode, _ decoding: inout JSONDecoding
  ) -> History.Check.Exception? {
    guard
      let members = decoding.members(
        of: node, "an exception", known: exceptionMembers, required: ["code", "reason"]),
      let code = located(members["code"], "“code”", &decoding),
      let reason = written(members["reason"], &decoding)
    else { return nil }
    var places: [History.Check.Place: String] = [:]
    for place in History.Check.Place.allCases {
      places[place] = decoding.string(members[place.rawValue], "“\(place.rawValue)”")
    }
    return History.Check.Exception(code: code, places: places, reason: reason)
  }

  /// A reason that says something.
  private static func written(_ node: JSONNode?, _ decoding: inout JSONDecoding) -> String? {
    guard let node, let reason = decoding.string(node, "“reason”") else { return nil }
    guard reason.contains(where: { !$0.isWhitespace }) else {
      decoding.mistake(node, "“reason”", expected: "a text that says why")
      return nil
    }
    return reason
  }

  /// Version hashes by entity, each of 32 bytes in Base64.
  static func hashes(
    _ node: JSONNode?, _ decoding: inout JSONDecoding
  ) -> [String: [UInt8]]? {
    guard let node else { return nil }
    guard case .object(let members) = node.kind else {
      decoding.mismatch(node, "“versionHashes”", expected: "an object with a hash for each entity")
      return nil
    }
    var hashes: [String: [UInt8]] = [:]
    for member in members {
      guard let text = decoding.string(member.value, "a version hash") else { continue }
      guard let bytes = Data(base64Encoded: text), bytes.count == 32 else {
        decoding.mistake(member.value, "a version hash", expected: "32 bytes in Base64")
        continue
      }
      hashes[member.name] = Array(bytes)
    }
    return hashes
  }
}
