internal import PassageDiagnostics

/// One rule of a check: what it looks for, under a code that never changes.
protocol CheckRule: SendableMetatype {
  static var code: String { get }
  /// How serious its findings are, unless the history says otherwise.
  static var level: Diagnostic.Severity { get }

  static func findings(in project: CheckedProject) -> [CheckFinding]
}

extension CheckRule {
  static func diagnostic(
    _ message: String, at location: SourceLocation?, reason: String? = nil, remedy: String
  ) -> Diagnostic {
    Diagnostic(
      code, message, severity: level, at: location, reason: reason, remedy: remedy)
  }
}

/// A rule about each entity mapping by itself.
protocol EntityMappingRule: CheckRule {
  static func findings(of place: MappingPlace, in project: CheckedProject) -> [CheckFinding]
}

extension EntityMappingRule {
  static func findings(in project: CheckedProject) -> [CheckFinding] {
    project.places.flatMap { findings(of: $0, in: project) }
  }
}
