internal import Passage
internal import PassagePlatform

/// Checks how many files the process may open.
///
/// The runtime ends the process if it cannot open its own few files, and a migration opens about
/// four files for each pass. Both problems are reported before anything begins.
enum OpenFileLimit {
  /// The number of files that a migration of a few passes needs besides those open at the start.
  private static let needed = 32

  /// Raises the limit as far as the user may.
  ///
  /// - Throws: ``MigrationError`` with `RUN-061` if there is no room for the files of a small
  ///   migration.
  static func prepare() throws(MigrationError) {
    raiseOpenFileLimit(to: 1_024)
    var opened: [Int32] = []
    defer { for file in opened { close(file) } }
    while opened.count < needed {
      let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else {
        // Without that device, the limit cannot be checked.
        guard errno == EMFILE || errno == ENFILE else { return }
        throw MigrationError(
          .inputOutput,
          Diagnostic(
            "RUN-061", "the process may open too few files",
            reason: "\(opened.count) more can be opened, about \(needed) are needed",
            remedy: "raise the limit (ulimit -n 256), then run the same command again"),
          diskState: "nothing was written")
      }
      opened.append(file)
    }
  }
}
