internal import Passage
internal import PassagePlatform

/// How many files the process may open.
///
/// The runtime ends the process where it cannot open the few files of its own, and a migration opens
/// about four for each pass: both are reported before anything begins.
enum OpenFileLimit {
  /// What a migration of a few passes needs beside what is open when the program starts.
  private static let needed = 32

  /// Raises the limit as far as the user may.
  ///
  /// - Throws: ``MigrationError`` with `RUN-061` when there is no room for the files of a small
  ///   migration.
  static func prepare() throws(MigrationError) {
    raiseOpenFileLimit(to: 1_024)
    var opened: [Int32] = []
    defer { for file in opened { close(file) } }
    while opened.count < needed {
      let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else {
        // Without that device, nothing is known.
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
