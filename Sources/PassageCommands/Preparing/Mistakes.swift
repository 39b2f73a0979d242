internal import Passage

/// What is wrong with a call and with the files it names, collected so that all of it is told at
/// once.
struct Mistakes {
  private let diskState: String?
  private var diagnostics = Diagnostics()
  private var hasWrongFile = false

  /// - Parameter diskState: what is on disk when the command is refused; `nil` for commands that
  ///   write nothing anyway.
  init(diskState: String? = "nothing was written") { self.diskState = diskState }

  /// Codes that say that something named on the command line does not exist: the call is wrong, not
  /// a file.
  private static let callCodes: Set<String> = ["MOD-100", "MOD-101", "MOD-110", "MOD-111"]

  /// A mistake of the call itself.
  mutating func add(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

  /// Mistakes of the call itself.
  mutating func add(_ found: Diagnostics) { diagnostics.append(contentsOf: found) }

  /// Mistakes found while a file was read that the history names.
  mutating func add(inFiles found: Diagnostics) {
    diagnostics.append(contentsOf: found)
    hasWrongFile = hasWrongFile || found.hasErrors
  }

  /// Mistakes found while something was read that the command line names.
  mutating func add(inNamedFiles found: Diagnostics) {
    diagnostics.append(contentsOf: found)
    hasWrongFile =
      hasWrongFile
      || found.errors.contains { $0.code != "PLN-005" && !Self.callCodes.contains($0.code) }
  }

  /// Throws everything when there is an error: exit status 65 when a file is wrong, that of a store
  /// when nothing but a store is, else 64.
  func throwIfErrors() throws(MigrationError) {
    guard diagnostics.hasErrors else { return }
    throw MigrationError(
      hasWrongFile ? MigrationError.Kind(files: diagnostics) : .wrongCall,
      diagnostics, diskState: diskState)
  }
}
