internal import Passage

/// What becomes of an object, and where it comes from, as text and as JSON.
struct ObjectReport {
  private let answer: ObjectCall.Answer
  private let command: String
  private let showsValues: Bool

  init(_ answer: ObjectCall.Answer, command: String, showsValues: Bool) {
    self.answer = answer
    self.command = command
    self.showsValues = showsValues
  }

  var result: CommandResult {
    let parts: [[String]] =
      (answer.origin.map { [text($0)] } ?? []) + answer.ways.map { text($0) }
    return CommandResult(
      text: OutputText(lines: Array(parts.joined(separator: [""]))), json: json)
  }

  // MARK: Text

  private func text(_ origin: ObjectOrigin) -> [String] {
    var lines = ["\(origin.entity) \(origin.key), “\(origin.destination)” from “\(origin.source)”"]
    let known = origin.candidates.filter { $0.sourceKey != nil }
    for candidate in origin.candidates {
      let place = "“\(candidate.mappingModel)”, “\(candidate.mapping)”"
      if let key = candidate.sourceKey {
        lines.append("  made of   \(candidate.sourceEntity) \(key), by \(place)")
      } else {
        lines.append("  \(origin.candidates.count == 1 ? "made by  " : "perhaps by") \(place)")
        lines.append("            which source object cannot be told: \(candidate.reason ?? "")")
      }
    }
    if origin.candidates.isEmpty {
      lines.append("  made of   nothing that these mapping models read")
      lines.append("            it was added after the migration, or others made the store")
    } else if known.count == 1, origin.candidates.count > 1 {
      lines.append("            keys alone do not tell which of them it was")
    }
    return lines
  }

  private func text(_ way: ObjectWay) -> [String] {
    var lines = ["\(way.entity) \(way.key), “\(way.source)” to “\(way.destination)”"]
    for candidate in way.candidates { lines += text(candidate) }
    if way.candidates.isEmpty { lines.append("  no entity mapping reads “\(way.entity)”") }
    let takers = way.candidates.filter { $0.isTaking != false }
    if !way.candidates.isEmpty, takers.isEmpty {
      lines.append("  result    no entity mapping takes it: it is left out")
    }
    if !way.laterVersions.isEmpty {
      let versions = way.laterVersions.map { "“\($0)”" }.joined(separator: ", ")
      lines.append(
        "  later     the steps to \(versions) read a store that does not exist before a run")
    }
    return lines
  }

  private func text(_ candidate: ObjectWay.Candidate) -> [String] {
    let verb =
      switch candidate.isTaking {
      case true?: candidate.destination == nil ? "removes it" : "takes it"
      case false?: "does not take it"
      case nil: "cannot be told"
      }
    var lines = [
      "  “\(candidate.mappingModel)”, “\(candidate.mapping)” (\(candidate.kind)): \(verb)"
    ]
    if candidate.conditions.isEmpty { lines.append("    filter  none: every object") }
    for condition in candidate.conditions {
      lines.append("    filter  \(answer(condition))  \(condition.text)")
      if let reason = condition.reason { lines.append("            because \(reason)") }
    }
    guard candidate.isTaking != false, let destination = candidate.destination else { return lines }
    if let key = candidate.key {
      let condition = candidate.isUpToPolicy ? ", if the policy makes it" : ""
      lines.append("    becomes \(destination) \(key)\(condition)")
    } else {
      lines.append(
        "    becomes \(destination), at a key that only the run tells: \(candidate.keyReason ?? "")"
      )
    }
    if let policy = candidate.policy {
      lines.append(
        "    policy  \(policy): it is not called here, and may set other values and links")
    }
    for attribute in candidate.attributes {
      lines.append("    value   \(attribute.name) = \(attribute.expression)\(shown(attribute))")
    }
    for link in candidate.links { lines += text(link) }
    return lines
  }

  private func answer(_ condition: ObjectWay.Condition) -> String {
    condition.holds.map { $0 ? "yes" : "no " } ?? "?  "
  }

  private func shown(_ attribute: ObjectWay.AttributeValue) -> String {
    if let reason = attribute.reason { return "  (cannot be told: \(reason))" }
    guard showsValues else { return "" }
    return "  → \(attribute.value?.shownText ?? "nil")"
  }

  private func text(_ link: ObjectWay.Link) -> [String] {
    let path = link.path.map { " = \($0)" } ?? ""
    if let reason = link.reason {
      return ["    link    \(link.name)\(path)  (cannot be told: \(reason))"]
    }
    var lines = [
      "    link    \(link.name)\(path): \(NumberText.count(Int64(link.count), "object"))"
    ]
    for end in link.ends {
      let target =
        switch (end.mapping, end.key) {
        case (nil, _) where !end.exists:
          "which the store does not have: the link leads to no object (RUN-024)"
        case (nil, _): "which no entity mapping takes: the link is left out"
        case (let mapping?, let key?): "becomes \(key) by “\(mapping)”"
        case (let mapping?, nil):
          "becomes an object of “\(mapping)”, at a key that only the run tells"
        }
      lines.append("              \(end.sourceEntity) \(end.sourceKey), \(target)")
    }
    let sources = Set(link.ends.map(\.sourceKey)).count
    if link.count > sources { lines.append("              and \(link.count - sources) more") }
    return lines
  }

  // MARK: JSON

  private var json: JSONText {
    .object([
      ("command", .string(command)), ("outcome", .string("explained")),
      ("origin", answer.origin.map(json) ?? .null), ("ways", .list(answer.ways.map(json))),
    ])
  }

  private func json(_ origin: ObjectOrigin) -> JSONText {
    .object([
      ("entity", .string(origin.entity)), ("key", .integer(origin.key)),
      ("source", .string(origin.source)), ("destination", .string(origin.destination)),
      (
        "candidates",
        .list(
          origin.candidates.map {
            .object([
              ("mappingModel", .string($0.mappingModel)), ("mapping", .string($0.mapping)),
              ("sourceEntity", .string($0.sourceEntity)),
              ("sourceKey", $0.sourceKey.map { .integer($0) } ?? .null),
              ("reason", .optional($0.reason)),
            ])
          })
      ),
    ])
  }

  private func json(_ way: ObjectWay) -> JSONText {
    .object([
      ("entity", .string(way.entity)), ("key", .integer(way.key)),
      ("source", .string(way.source)), ("destination", .string(way.destination)),
      ("mappings", .list(way.candidates.map(json))),
      ("laterVersions", .strings(way.laterVersions)),
    ])
  }

  private func json(_ candidate: ObjectWay.Candidate) -> JSONText {
    .object([
      ("mappingModel", .string(candidate.mappingModel)), ("mapping", .string(candidate.mapping)),
      ("type", .string(candidate.kind)), ("destination", .optional(candidate.destination)),
      ("policy", .optional(candidate.policy)),
      ("takes", candidate.isTaking.map { .bool($0) } ?? .null),
      (
        "filter",
        .list(
          candidate.conditions.map {
            .object([
              ("part", .string($0.text)), ("holds", $0.holds.map { .bool($0) } ?? .null),
              ("reason", .optional($0.reason)),
            ])
          })
      ), ("key", candidate.key.map { .integer($0) } ?? .null),
      ("isUpToPolicy", .bool(candidate.isUpToPolicy)),
      ("keyReason", .optional(candidate.keyReason)),
      ("attributes", .list(candidate.attributes.map(json))),
      ("links", .list(candidate.links.map(json))),
    ])
  }

  private func json(_ attribute: ObjectWay.AttributeValue) -> JSONText {
    var members: [(name: String, value: JSONText)] = [
      ("name", .string(attribute.name)), ("expression", .string(attribute.expression)),
      ("reason", .optional(attribute.reason)),
    ]
    if showsValues { members.append(("value", .optional(attribute.value?.shownText))) }
    return .object(members)
  }

  private func json(_ link: ObjectWay.Link) -> JSONText {
    .object([
      ("name", .string(link.name)), ("path", .optional(link.path)),
      ("count", .integer(Int64(link.count))), ("reason", .optional(link.reason)),
      (
        "objects",
        .list(
          link.ends.map {
            .object([
              ("sourceEntity", .string($0.sourceEntity)), ("sourceKey", .integer($0.sourceKey)),
              ("exists", .bool($0.exists)), ("mapping", .optional($0.mapping)),
              ("key", $0.key.map { .integer($0) } ?? .null),
            ])
          })
      ),
    ])
  }
}
