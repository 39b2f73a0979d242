internal import Passage

/// The mistakes in a call and in the files it names, collected so that all of them are reported
/// together.
struct CallMistakes {
  private let diskState: String?
  private var diagnostics = Diagnostics()
  /// The classes of the errors.
  private var kinds: [MigrationError.Kind] = []

  /// - Parameter diskState: the state of the disk if the command is refused; `nil` for commands
  ///   that never write.
  init(diskState: String? = "nothing was written") { self.diskState = diskState }

  /// Adds a mistake of the call itself.
  mutating func add(_ diagnostic: Diagnostic) { add(Diagnostics([diagnostic])) }

  /// Adds that neither the call nor the history names a store (`CMD-004`).
  mutating func addUnnamedStore(_ project: Project?) {
    guard let project, !project.hasHistoryFile else {
      add(
        Diagnostic(
          "CMD-004", "no store is named",
          reason: "neither --store nor a “store” in the history is given",
          remedy: "name the store with --store FILE"))
      return
    }
    add(
      Diagnostic(
        "CMD-004", "no store is named",
        reason:
          "--store is not given, and there is no history.json in “\(project.migrationsDirectory)” "
          + "that could name one",
        remedy: "name the store with --store FILE, or the folder with history.json with "
          + "--migrations DIR"))
  }

  /// Adds mistakes of the call itself.
  mutating func add(_ found: Diagnostics) {
    diagnostics.append(contentsOf: found)
    kinds += found.errors.map { _ in .wrongCall }
  }

  /// Adds mistakes in a file that the history names.
  mutating func add(inFiles found: Diagnostics) {
    diagnostics.append(contentsOf: found)
    kinds += found.errors.map(\.failureKind)
  }

  /// Adds mistakes in a file that the command line names.
  mutating func add(inNamedFiles found: Diagnostics) {
    diagnostics.append(contentsOf: found)
    kinds += found.errors.map {
      MigrationError.Kind(code: $0.code, isNamedInCall: true) ?? $0.failureKind
    }
  }

  /// Throws all mistakes if there is an error, with the class of the one that must be corrected
  /// first.
  func throwIfErrors() throws(MigrationError) {
    guard diagnostics.hasErrors else { return }
    throw MigrationError(MigrationError.Kind(oneOf: kinds), diagnostics, diskState: diskState)
  }
}
