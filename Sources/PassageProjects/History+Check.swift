package import PassageDiagnostics

extension History {
  /// How the findings of a check are judged: the member “check” of the history.
  package struct Check: Sendable, Hashable {
    /// The level of the findings of one rule.
    package struct Level: Sendable, Hashable {
      /// The rule.
      package var code: Located<String>
      package var severity: Diagnostic.Severity
      /// Why; `nil` if none is given.
      package var reason: String?
    }

    /// A finding that is meant to be.
    package struct Exception: Sendable, Hashable {
      package var code: Located<String>
      /// The places that a finding must be at, all of those that are given.
      package var places: [Place: String]
      package var reason: String
    }

    /// What a finding is about, as an exception names it.
    package enum Place: String, Sendable, Hashable, CaseIterable {
      /// A version of the history.
      case version
      /// A mapping model.
      case mapping
      /// An entity mapping.
      case entityMapping
      /// A source entity.
      case entity
      /// A property.
      case property
    }

    package var levels: [Level] = []
    package var exceptions: [Exception] = []
  }
}
