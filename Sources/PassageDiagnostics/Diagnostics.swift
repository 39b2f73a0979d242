/// All mistakes found in what an author wrote: a collection of diagnostics, in the order
/// they were found.
public struct Diagnostics: Error, Sendable, Hashable, Codable {
  /// How many errors are kept, and how many warnings and notes; a file of a few megabytes can hold
  /// millions of mistakes.
  public static let maximumListed = 2_000

  /// In the order they were found; more than ``maximumListed`` are only counted.
  public private(set) var all: [Diagnostic] = []

  /// The errors that are not listed.
  public private(set) var unlistedErrorCount = 0

  /// The warnings and notes that are not listed.
  public private(set) var unlistedRemarkCount = 0

  private var listedErrorCount = 0

  /// Makes a list; of more than can be kept, the first.
  public init(_ all: [Diagnostic] = []) {
    for diagnostic in all { append(diagnostic) }
  }

  /// The listed diagnostics that stop the work.
  public var errors: [Diagnostic] { all.filter { $0.severity == .error } }
  /// The listed diagnostics that say what to check.
  public var warnings: [Diagnostic] { all.filter { $0.severity == .warning } }
  /// Whether anything stops the work.
  public var hasErrors: Bool { listedErrorCount > 0 }

  /// All errors, listed or not.
  public var errorCount: Int { listedErrorCount + unlistedErrorCount }

  /// All that is not listed.
  public var unlistedCount: Int { unlistedErrorCount + unlistedRemarkCount }

  /// Adds a diagnostic; of more than can be kept, its number.
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

  /// Adds all of another list, with the number of what that one does not list.
  public mutating func append(contentsOf other: Diagnostics) {
    for diagnostic in other.all { append(diagnostic) }
    unlistedErrorCount += other.unlistedErrorCount
    unlistedRemarkCount += other.unlistedRemarkCount
  }

  /// Throws itself when it holds an error; warnings and notes alone pass.
  public func throwIfErrors() throws(Diagnostics) {
    if hasErrors { throw self }
  }
}

extension Diagnostics: RandomAccessCollection {
  /// The position of the first diagnostic.
  public var startIndex: Int { 0 }

  /// The position behind the last one that is listed.
  public var endIndex: Int { all.count }

  /// The diagnostic at a position from 0, in the order they were found.
  public subscript(position: Int) -> Diagnostic { all[position] }
}

extension Diagnostics: CustomStringConvertible {
  /// The text of all listed diagnostics, and how many more there are.
  public var description: String {
    let rest = unlistedCount > 0 ? ["and \(unlistedCount) more"] : []
    return (all.map(\.description) + rest).joined(separator: "\n")
  }
}
