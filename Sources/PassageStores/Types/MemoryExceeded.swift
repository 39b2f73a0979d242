package import PassageDiagnostics

/// Reading a store would take more memory than is allowed. Nothing was read.
package struct MemoryExceeded: Error, Sendable, Hashable {
  /// The store, both amounts, and the option that allows more.
  package var diagnostic: Diagnostic

  /// Creates the error for a refusal.
  package init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }
}

/// Amounts of memory as text: `512M`, `2G`.
package enum MemorySize {
  /// The memory that reading a store that is loaded as a whole may take by default.
  package static let standard = 512 << 20

  /// The memory limit for lists of types that are created in this task without a limit of their
  /// own.
  @TaskLocal package static var allowed = standard

  /// Parses a number of bytes, KiB, MiB, GiB or TiB: `1048576`, `512M`, `2G`, in upper or lower
  /// case, also with `B` or `iB` after the letter; `nil` for anything else, and for zero.
  package static func bytes(_ text: String) -> Int? {
    var digits = text.lowercased()[...]
    let units: [(String, Int)] = [("k", 10), ("m", 20), ("g", 30), ("t", 40)]
    var shift = 0
    for ending in ["ib", "b"] where digits.hasSuffix(ending) {
      digits = digits.dropLast(ending.count)
      break
    }
    if let unit = units.first(where: { digits.hasSuffix($0.0) }) {
      digits = digits.dropLast()
      shift = unit.1
    }
    guard !digits.isEmpty,
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }),
      let number = Int(digits), number > 0
    else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << shift)
    return overflow ? nil : bytes
  }

  /// An amount in the form that ``bytes(_:)`` parses, rounded up to whole units.
  package static func text(_ bytes: Int) -> String {
    let shift = bytes > 10 << 30 ? 30 : 20
    let (units, rest) = max(0, bytes).quotientAndRemainder(dividingBy: 1 << shift)
    return "\(rest > 0 ? units + 1 : units)\(shift == 30 ? "G" : "M")"
  }
}
