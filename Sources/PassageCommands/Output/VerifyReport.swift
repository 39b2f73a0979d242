internal import Passage

/// The result of a verification, as text and as JSON.
struct VerifyReport {
  private let report: ComparisonReport
  private let source: String
  private let destination: String
  private let warnings: Diagnostics

  init(
    _ report: ComparisonReport, warnings: Diagnostics = Diagnostics(), source: String,
    destination: String
  ) {
    self.report = report
    self.warnings = warnings
    self.source = source
    self.destination = destination
  }

  /// - Parameter command: the name of the subcommand.
  func result(command: String) -> CommandResult {
    CommandResult(
      text: text, json: json(command),
      exitStatus: report.isEqual ? 0 : MigrationError.Kind.verificationFailed.rawValue)
  }

  /// Abstract entities have no objects of their own.
  private var parts: [ComparisonReport.Part] {
    report.parts.filter { $0.expectedCount > 0 || $0.foundCount > 0 || $0.differenceCount > 0 }
  }

  // MARK: Text

  private var text: OutputText {
    var lines = OutputText(warnings)
    lines += [
      report.isEqual
        ? "Verified: \(destination) equals a new migration of \(source), object by object"
        : "\(destination) differs from a new migration of \(source): "
          + NumberText.count(report.differenceCount, "difference"), "",
    ]
    var table = TextTable([
      ("entity", .left), ("expected", .right), ("found", .right), ("differ", .right),
      ("digest", .left),
    ])
    for part in parts {
      table.add([
        part.name, NumberText.count(part.expectedCount), NumberText.count(part.foundCount),
        NumberText.count(part.differenceCount), part.foundDigest ?? "",
      ])
    }
    lines += table.lines
    if !report.differences.isEmpty {
      lines += ["", "  differences"] + report.differences.map { "    \(Self.words($0))" }
      let more = report.differenceCount - Int64(report.differences.count)
      if more > 0 { lines.append("    and \(NumberText.count(more)) more") }
    }
    return lines
  }

  private static func words(_ difference: ComparisonReport.Difference) -> String {
    let key = difference.key.map(String.init).joined(separator: " → ")
    let object = "\(difference.name) \(key)"
    switch difference.kind {
    case .missing: return "\(object): missing"
    case .unexpected: return "\(object): unexpected"
    case .changedFile:
      return "\(object): different file in \(difference.properties.joined(separator: ", "))"
    case .changed where difference.values.isEmpty:
      return "\(object): different values in \(difference.properties.joined(separator: ", "))"
    case .changed:
      let values = difference.values.map {
        "\($0.property) \($0.expected), found \($0.found)"
      }
      return "\(object): expected \(values.joined(separator: "; "))"
    }
  }

  // MARK: JSON

  private func json(_ command: String) -> JSONText {
    .object([
      ("command", .string(command)),
      ("outcome", .string(report.isEqual ? "equal" : "different")),
      ("source", .path(source)), ("destination", .path(destination)),
      ("entities", .list(report.parts.filter { !$0.isJoinTable }.map(Self.json))),
      ("joinTables", .list(report.parts.filter(\.isJoinTable).map(Self.json))),
      ("differenceCount", .integer(report.differenceCount)),
      (
        "differences",
        .list(
          report.differences.map {
            .shortObject(
              [
                ("kind", .string($0.kind.rawValue)), ("name", .string($0.name)),
                ("key", .shortList($0.key.map { .integer($0) })),
                ("properties", .strings($0.properties)),
              ] + Self.json($0.values))
          })
      ),
      ("warnings", .list(warnings.all.map(\.json))),
    ])
  }

  /// The values, if they were asked for.
  private static func json(
    _ values: [ComparisonReport.Difference.Values]
  ) -> [(name: String, value: JSONText)] {
    guard !values.isEmpty else { return [] }
    return [
      (
        "values",
        .shortList(
          values.map {
            .shortObject([
              ("property", .string($0.property)), ("expected", .string($0.expected)),
              ("found", .string($0.found)),
            ])
          })
      )
    ]
  }

  private static func json(_ part: ComparisonReport.Part) -> JSONText {
    .object([
      ("name", .string(part.name)), ("expected", .integer(part.expectedCount)),
      ("found", .integer(part.foundCount)), ("differences", .integer(part.differenceCount)),
      ("expectedDigest", .optional(part.expectedDigest)),
      ("foundDigest", .optional(part.foundDigest)),
    ])
  }
}
