package import PassageDiagnostics
package import PassageEngine
internal import PassageMappings
internal import PassagePlanning
package import PassageProjects

/// Looks for what is allowed in a project's history and mapping models, but probably not meant. No
/// store is read.
///
/// Each rule has a code and a level; the history may change levels and name exceptions.
package struct HistoryCheck: Sendable {
  /// A finding that the history excepts.
  package struct Excepted: Sendable {
    package var finding: CheckFinding
    package var reason: String
  }

  /// In the order of files, lines and columns.
  package private(set) var findings: [CheckFinding] = []
  package private(set) var excepted: [Excepted] = []
  /// The number of steps of the history.
  package let stepCount: Int
  /// The number of mapping models that they name.
  package let mappingCount: Int

  /// Checks a project.
  ///
  /// - Throws: the mistakes in its mapping models, as a plan reports them.
  /// - Complexity: that of planning each step; for filters, at most 20,000 evaluations
  ///   of each pair, and a constant number of steps for each rule and step.
  package init(_ project: Project, policies: PolicyRegistry) throws(Diagnostics) {
    let checked = try CheckedProject(project, policies: policies)
    stepCount = checked.steps.count
    mappingCount = Set(project.history.steps.flatMap { $0.mappings.map(\.value) }).count
    var found = checked.warnings.all.map { warning in
      CheckFinding(warning, about: Self.places(of: warning, in: checked))
    }
    found += CheckRules.all.flatMap { $0.findings(in: checked) }
    judge(found, by: project.history.check)
  }

  /// The number of findings of a level.
  package func count(of severity: Diagnostic.Severity) -> Int {
    findings.count { $0.diagnostic.severity == severity }
  }

  /// Whether there is a finding of this level or a more serious one.
  package func reaches(_ level: Diagnostic.Severity) -> Bool {
    findings.contains { $0.diagnostic.severity.rank <= level.rank }
  }

  /// What a plan warns of names its mapping model by the file.
  private static func places(
    of warning: Diagnostic, in checked: CheckedProject
  ) -> [History.Check.Place: String] {
    let models = checked.steps.flatMap(\.planned).flatMap(\.passes).map(\.model)
    guard let file = warning.location?.file, let model = models.first(where: { $0.file == file })
    else { return [:] }
    return [.mapping: model.name]
  }

  private mutating func judge(_ found: [CheckFinding], by check: History.Check) {
    var seen: Set<CheckFinding> = []
    var used: Set<Int> = []
    for finding in found where seen.insert(finding).inserted {
      let fitting = check.exceptions.indices.filter { finding.isExpected(by: check.exceptions[$0]) }
      used.formUnion(fitting)
      var finding = finding
      if let level = check.levels.last(where: { $0.code.value == finding.code }) {
        finding.diagnostic.severity = level.severity
      }
      if let first = fitting.first {
        excepted.append(Excepted(finding: finding, reason: check.exceptions[first].reason))
      } else {
        findings.append(finding)
      }
    }
    findings += CheckSettings(check, usedExceptions: used).findings
    findings.sort { a, b in
      let (left, right) = (a.diagnostic.location, b.diagnostic.location)
      return (left?.file ?? "", left?.line ?? 0, left?.column ?? 0, a.code, a.diagnostic.message)
        < (right?.file ?? "", right?.line ?? 0, right?.column ?? 0, b.code, b.diagnostic.message)
    }
  }
}

extension Diagnostic.Severity {
  /// The most serious is 0.
  fileprivate var rank: Int {
    switch self {
    case .error: 0
    case .warning: 1
    case .note: 2
    }
  }

  /// Whether it is less serious than another.
  func isBelow(_ other: Self) -> Bool { rank > other.rank }
}
