internal import Passage

/// A plan that has something to do, as text and as JSON.
struct PlanReport {
  private let plan: MigrationPlan
  private let command: String
  private let isDryRun: Bool

  init(_ plan: MigrationPlan, command: String, isDryRun: Bool) {
    self.plan = plan
    self.command = command
    self.isDryRun = isDryRun
  }

  // MARK: Text

  var text: OutputText {
    var lines = OutputText(plan.warnings)
    lines += [
      "Would migrate \(plan.storePath): "
        + "\(NumberText.count(plan.objects, "object")), \(NumberText.bytes(plan.bytes))", "",
    ]
    for (index, step) in plan.steps.enumerated() {
      lines.append(
        "step \(index + 1) of \(plan.steps.count): from “\(step.source)” to “\(step.destination)”")
      for (number, pass) in step.passes.enumerated() {
        let origin = pass.isInferred ? " (inferred)" : ""
        lines.append("  pass \(number + 1) of \(step.passes.count): \(pass.name)\(origin)")
        lines += pass.mappings.flatMap(Self.lines)
      }
      lines.append("")
    }
    let uncounted = plan.losses.filter { $0.count == nil }.map(\.name)
    if !uncounted.isEmpty {
      lines.append("  unread    counted when their step runs: \(Self.some(uncounted))")
    }
    lines += [
      "  store     \(plan.destinationPath)",
      "  disk      needs about \(NumberText.bytes(plan.neededBytes)), "
        + "\(NumberText.bytes(plan.freeBytes)) are free",
      "  nothing was written",
    ]
    return lines
  }

  /// The first names, and the number of further ones.
  private static func some(_ names: [String]) -> String {
    let more = names.count > 12 ? " and \(names.count - 12) more" : ""
    return names.prefix(12).joined(separator: ", ") + more
  }

  private static func lines(_ mapping: MigrationPlan.Mapping) -> [String] {
    let ends = [mapping.source ?? "nothing", mapping.destination ?? "nothing"]
    var lines = ["    \(mapping.name)  \(mapping.kind.rawValue)  \(ends.joined(separator: " → "))"]
    if let objects = mapping.objects {
      lines.append("      objects   \(NumberText.count(objects))")
    }
    if let filter = mapping.filter { lines.append("      filter    \(filter)") }
    if mapping.lane == .row {
      lines += mapping.filterParts.map { part in
        part.reason.map { "        in memory  \(part.text) (\($0))" }
          ?? "        in SQL     \(part.text)"
      }
    }
    if let list = mapping.forEach { lines.append("      for each  \(list)") }
    if let value = mapping.mergeBy {
      lines.append("      merge by  \(value) (keeps the \(mapping.keep ?? ""))")
    }
    if mapping.listedObjects > 0 {
      lines.append("      adds      \(NumberText.count(Int64(mapping.listedObjects), "object"))")
    }
    if let policy = mapping.policy { lines.append("      policy    \(policy)") }
    let reason = mapping.reason.map { " (\($0))" } ?? ""
    lines.append("      lane      \(mapping.lane.rawValue)\(reason)")
    if !mapping.areLossesKnown {
      lines.append("      losses    not known: the policy decides what it reads or relates")
    }
    return lines
  }

  // MARK: JSON

  var json: JSONText {
    .object(
      [
        ("command", .string(command)),
        ("outcome", .string("planned")),
        ("source", .path(plan.storePath)), ("destination", .path(plan.destinationPath)),
      ] + Self.sizes(of: plan, isDryRun: isDryRun) + [
        ("steps", .list(plan.steps.map(Self.json))),
        ("losses", .list(plan.losses.map(\.json))),
      ] + plan.companions.members + [("warnings", Self.warnings(of: plan))])
  }

  /// The members that the object of a plan with nothing to do has too, besides those of a run.
  static func sizes(
    of plan: MigrationPlan, isDryRun: Bool
  ) -> [(name: String, value: JSONText)] {
    [
      ("dryRun", .bool(isDryRun)),
      ("objects", .integer(plan.objects)), ("bytes", .integer(plan.bytes)),
      ("neededBytes", .integer(plan.neededBytes)), ("freeBytes", .integer(plan.freeBytes)),
    ]
  }

  static func warnings(of plan: MigrationPlan) -> JSONText {
    .list(plan.warnings.map { .string($0.description) })
  }

  private static func json(_ step: MigrationPlan.Step) -> JSONText {
    .object([
      ("source", .string(step.source)), ("destination", .string(step.destination)),
      (
        "passes",
        .list(
          step.passes.map { pass in
            .object([
              ("name", .string(pass.name)), ("isInferred", .bool(pass.isInferred)),
              ("mappings", .list(pass.mappings.map(json))),
            ])
          })
      ),
    ])
  }

  private static func json(_ part: MigrationPlan.FilterPart) -> JSONText {
    .object([
      ("part", .string(part.text)), ("runsIn", .string(part.isInSQL ? "sql" : "memory")),
      ("reason", .optional(part.reason)),
    ])
  }

  private static func json(_ mapping: MigrationPlan.Mapping) -> JSONText {
    .object([
      ("name", .string(mapping.name)), ("type", .string(mapping.kind.rawValue)),
      ("source", .optional(mapping.source)), ("destination", .optional(mapping.destination)),
      ("filter", .optional(mapping.filter)),
      ("filterParts", .list(mapping.filterParts.map(json))),
      ("forEach", .optional(mapping.forEach)), ("mergeBy", .optional(mapping.mergeBy)),
      ("keep", .optional(mapping.keep)),
      ("listedObjects", .integer(Int64(mapping.listedObjects))),
      ("policy", .optional(mapping.policy)),
      ("lane", .string(mapping.lane.rawValue)), ("reason", .optional(mapping.reason)),
      ("objects", mapping.objects.map { .integer($0) } ?? .null),
      ("areLossesKnown", .bool(mapping.areLossesKnown)),
    ])
  }
}
