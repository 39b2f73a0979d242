internal import PassageSQLite

/// The version of Passage, and of what it was built with.
package enum PassageVersion {
  /// The version that stores record and `migrate --version` prints.
  package static let current = "0.2.0"

  /// The version of SQLite that is linked.
  package static var sqlite: String { SQLiteLibrary.version }

  /// The version of the compiler, without its last number, which no program can know.
  package static var swift: String {
    #if compiler(>=6.5)
      "6.5 or newer"
    #elseif compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  /// Whether the compiler has optimised the program. What was built for debugging takes many times as
  /// long.
  package static var isOptimised: Bool {
    #if DEBUG
      false
    #else
      true
    #endif
  }

  /// The architecture of the processor.
  package static var architecture: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "arm64"
    #else
      "other"
    #endif
  }
}
