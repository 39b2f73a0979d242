public import PassageDiagnostics

/// The one table from codes to classes of failure. The engine, the commands and apps all take their
/// classes and exit statuses from it.
extension MigrationError.Kind {
  /// The class of failure of an error with the given code.
  ///
  /// - Parameters:
  ///   - code: a diagnostic's code.
  ///   - isNamedInCall: whether the caller named the file that the code is about. If so, a missing
  ///     file is a wrong call; if a history named it, the history is wrong.
  /// - Returns: `nil` for a code that is not Passage's, such as a policy's own, or that is only
  ///   ever a warning.
  /// - Complexity: O(1).
  public init?(code: String, isNamedInCall: Bool = false) {
    if isNamedInCall, Self.codesOfNames.contains(code) {
      self = .wrongCall
    } else if let kind = Self.kindsOfCodes[code] ?? Self.kindsOfGroups[String(code.prefix(4))] {
      self = kind
    } else {
      return nil
    }
  }

  /// Codes for a file that does not exist or is not of the expected kind.
  private static let codesOfNames: Set<String> = [
    "MOD-100", "MOD-101", "MOD-110", "MOD-111", "PLN-005", "IMP-001",
  ]

  /// The class of each group of codes, for codes that are not listed below. In groups that are
  /// missing here, every code has a class of its own.
  private static let kindsOfGroups: [String: Self] = [
    "ATM-": .policyFailed, "CHK-": .checkFailed, "CMD-": .wrongCall, "FLT-": .wrongCall,
    "IMP-": .wrongFile,
    "INF-": .noMapping, "MAP-": .wrongFile, "MOD-": .wrongFile, "PRE-": .wrongFile,
    "REH-": .verificationFailed, "ROW-": .policyFailed,
    "VAL-": .policyFailed,
  ]

  private static let kindsOfCodes: [String: Self] = {
    var kinds: [String: Self] = [:]
    for (kind, codes) in codesOfKinds {
      for code in codes { kinds[code] = kind }
    }
    return kinds
  }()

  private static let codesOfKinds: [(Self, [String])] = [
    (.bug, ["PRE-032", "PRE-033", "PRE-034", "PRE-045", "RUN-008", "RUN-031", "RUN-099"]),
    (.migrationNeeded, ["INS-010"]),
    (.sourceModelUnknown, ["INS-011", "PLN-016", "PLN-025"]),
    (.noMapping, ["PLN-014", "PLN-015", "PLN-019", "PLN-020", "PLN-021"]),
    (.locked, ["FLT-080", "RUN-010", "RUN-011", "STO-111"]),
    (.diskTooSmall, ["RUN-005", "RUN-006", "STO-116"]),
    (
      .inputOutput,
      [
        "FLT-013", "FLT-053", "FLT-072", "FLT-073", "FLT-075", "FLT-076", "FLT-077", "FLT-078",
        "FLT-081", "FLT-082", "MOD-133", "RUN-007", "RUN-012", "RUN-061", "RUN-063", "RUN-064",
        "STO-112", "STO-113", "STO-115", "STO-120", "STO-160", "STO-162",
      ]
    ),
    (.cancelled, ["FLT-014", "RUN-013", "STO-119"]),
    (
      .sourceDamaged,
      [
        "RUN-021", "RUN-022", "RUN-034", "STO-105", "STO-108", "STO-109", "STO-110", "STO-118",
        "STO-121", "STO-163", "STO-170", "STO-311", "STO-313",
      ]
    ),
    (
      .policyFailed,
      [
        "PRE-030", "PRE-031", "PRE-040", "PRE-041", "PRE-042", "PRE-046", "RUN-023", "RUN-041",
        "RUN-042",
        "RUN-043", "RUN-044", "RUN-045", "RUN-047", "RUN-089", "RUN-092", "SEL-002",
      ]
    ),
    (
      .verificationFailed,
      [
        "FLT-079", "PAC-001", "RUN-032", "RUN-033", "RUN-035", "RUN-036", "STO-317", "VAL-040",
        "VAL-041",
      ]
    ),
    (.valuesLost, ["RST-003", "RUN-083"]),
    (
      .wrongCall,
      [
        "ATM-001", "ATM-050", "ATM-051", "ATM-052", "INS-001", "INS-002", "INS-003", "INS-005",
        "PAC-002",
        "PLN-013", "PLN-017", "PLN-018", "PLN-022", "RST-001", "RST-002", "RST-004", "RUN-001",
        "RUN-002", "RUN-003", "RUN-014", "RUN-015", "RUN-046", "RUN-050", "RUN-051", "RUN-060",
        "RUN-070", "RUN-072", "RUN-084", "RUN-093", "RUN-095", "RUN-096",
        "SEL-001", "STO-101", "STO-102", "STO-103", "STO-114", "STO-117", "STO-130",
        "STO-161", "STO-304", "STO-306", "STO-315", "STO-316",
      ]
    ),
    (
      .wrongFile,
      [
        "ATM-017", "ATM-024", "CMD-034", "CMD-035", "PLN-001", "PLN-002", "PLN-003", "PLN-004",
        "PLN-005",
        "PLN-010", "PLN-011", "PLN-012", "PLN-023", "STO-104", "STO-106", "STO-107", "STO-122",
        "STO-131", "STO-132", "STO-133", "STO-134", "STO-171", "STO-205", "STO-207", "STO-208",
        "STO-318",
      ]
    ),
  ]
}

extension Diagnostic {
  /// The class of failure if this diagnostic ends a call. A code that is not Passage's comes from a
  /// policy, so it is a failure of the policy.
  public var failureKind: MigrationError.Kind { .init(code: code) ?? .policyFailed }
}

extension Diagnostics {
  /// The class of failure of all errors together, which gives the single exit status.
  public var failureKind: MigrationError.Kind {
    MigrationError.Kind(oneOf: errors.map(\.failureKind))
  }
}

extension MigrationError.Kind {
  /// The class to report for errors of several classes: the one that must be corrected first.
  ///
  /// - Parameter kinds: the classes of the errors; an empty array gives a bug.
  public init(oneOf kinds: [Self]) {
    let order: [Self] = [.bug, .wrongFile, .sourceDamaged, .wrongCall, .sourceModelUnknown]
    self = order.first { kinds.contains($0) } ?? kinds.first ?? .bug
  }
}
