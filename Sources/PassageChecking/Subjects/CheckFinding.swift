package import PassageDiagnostics
package import PassageProjects

/// One finding of a check, and what it is about.
package struct CheckFinding: Sendable, Hashable {
  package var diagnostic: Diagnostic
  /// What it is about, as exceptions name it.
  package var places: [History.Check.Place: String]

  init(_ diagnostic: Diagnostic, about places: [History.Check.Place: String] = [:]) {
    self.diagnostic = diagnostic
    self.places = places
  }

  package var code: String { diagnostic.code }

  /// Whether an exception fits it: the code is the same, and so is every place that it names.
  func isExpected(by exception: History.Check.Exception) -> Bool {
    exception.code.value == code && exception.places.allSatisfy { places[$0] == $1 }
  }
}
