/// All mistakes in an author's files: a collection of diagnostics in the order in which they were
/// found.
public struct Diagnostics: Error, Sendable, Hashable, Codable {
  /// The largest number of errors that are kept, and of warnings and notes. A file of a few
  /// megabytes can have millions of mistakes.
  public static let maximumListed = 2_000

  /// In the order in which they were found. Those above ``maximumListed`` are only counted.
  public private(set) var all: [Diagnostic] = []

  /// The number of errors that are not listed.
  public private(set) var unlistedErrorCount = 0

  /// The number of warnings and notes that are not listed.
  public private(set) var unlistedRemarkCount = 0

  private var listedErrorCount = 0

  /// Creates a list. Diagnostics above the limit are only counted.
  public init(_ all: [Diagnostic] = []) {
    for diagnostic in all { append(diagnostic) }
  }

  /// The listed diagnostics that stop the work.
  public var errors: [Diagnostic] { all.filter { $0.severity == .error } }
  /// The listed warnings.
  public var warnings: [Diagnostic] { all.filter { $0.severity == .warning } }
  /// Whether there is an error.
  public var hasErrors: Bool { listedErrorCount > 0 }

  /// The number of all errors, listed or not.
  public var errorCount: Int { listedErrorCount + unlistedErrorCount }

  /// The number of all diagnostics that are not listed.
  public var unlistedCount: Int { unlistedErrorCount + unlistedRemarkCount }

  /// Adds a diagnostic, or only counts it above the limit.
  public mutating func append(_ diagnostic: Diagnostic) {
    if diagnostic.severity == .error {
      guard listedErrorCount < Self.maximumListed else {
        unlistedErrorCount += 1
        return
      }
      listedErrorCount += 1
    } else {
      guard all.count - listedErrorCount < Self.maximumListed else {
        unlistedRemarkCount += 1
        return
      }
    }
    all.append(diagnostic)
  }

  /// Adds an error, or only counts it above the limit. It is made only if it is listed: to look for what
  /// the author meant takes longer than to find a mistake.
  package mutating func appendError(_ make: () -> Diagnostic) {
    guard listedErrorCount < Self.maximumListed else {
      unlistedErrorCount += 1
      return
    }
    append(make())
  }

  /// Adds the diagnostics of another list, and the number of those it does not list.
  public mutating func append(contentsOf other: Diagnostics) {
    for diagnostic in other.all { append(diagnostic) }
    unlistedErrorCount += other.unlistedErrorCount
    unlistedRemarkCount += other.unlistedRemarkCount
  }

  /// Throws the list if it contains an error, but not for warnings and notes alone.
  public func throwIfErrors() throws(Diagnostics) {
    if hasErrors { throw self }
  }
}

extension Diagnostics: RandomAccessCollection {
  /// The position of the first diagnostic.
  public var startIndex: Int { 0 }

  /// The position after the last one that is listed.
  public var endIndex: Int { all.count }

  /// The diagnostic at a position from 0, in the order in which they were found.
  public subscript(position: Int) -> Diagnostic { all[position] }
}

extension Diagnostics: CustomStringConvertible {
  /// The text of all listed diagnostics, and the number of further ones.
  public var description: String {
    let rest = unlistedCount > 0 ? ["and \(unlistedCount) more"] : []
    return (all.map(\.description) + rest).joined(separator: "\n")
  }
}
