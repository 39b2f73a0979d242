internal import Passage

/// What is wrong with a call and with the files it names, collected so that all of it is reported at
/// once.
struct CallMistakes {
  private let diskState: String?
  private var diagnostics = Diagnostics()
  /// The classes of the errors.
  private var kinds: [MigrationError.Kind] = []

  /// - Parameter diskState: what is on disk when the command is refused; `nil` for commands that
  ///   write nothing anyway.
  init(diskState: String? = "nothing was written") { self.diskState = diskState }

  /// A mistake of the call itself.
  mutating func add(_ diagnostic: Diagnostic) { add(Diagnostics([diagnostic])) }

  /// Mistakes of the call itself.
  mutating func add(_ found: Diagnostics) {
    diagnostics.append(contentsOf: found)
    kinds += found.errors.map { _ in .wrongCall }
  }

  /// Mistakes found while a file was read that the history names.
  mutating func add(inFiles found: Diagnostics) {
    diagnostics.append(contentsOf: found)
    kinds += found.errors.map(\.failureKind)
  }

  /// Mistakes found while something was read that the command line names.
  mutating func add(inNamedFiles found: Diagnostics) {
    diagnostics.append(contentsOf: found)
    kinds += found.errors.map {
      MigrationError.Kind(code: $0.code, isNamedInCall: true) ?? $0.failureKind
    }
  }

  /// Throws everything when there is an error, with the class of what must be mended first.
  func throwIfErrors() throws(MigrationError) {
    guard diagnostics.hasErrors else { return }
    throw MigrationError(MigrationError.Kind(oneOf: kinds), diagnostics, diskState: diskState)
  }
}
