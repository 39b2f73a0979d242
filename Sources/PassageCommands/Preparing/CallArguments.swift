internal import Passage

/// The arguments of the process.
enum CallArguments {
  /// Refuses a process that cannot see its arguments. On Linux, Swift reads them from
  /// `/proc/self/cmdline`; where that is missing, a call with arguments looks like one without any,
  /// which would migrate.
  ///
  /// - Parameter arguments: as Swift gives them, the program's name first.
  /// - Throws: `CMD-048`.
  static func check(_ arguments: [String]) throws(MigrationError) {
    guard arguments.isEmpty else { return }
    throw MigrationError(
      Diagnostic(
        "CMD-048", "the arguments of the call cannot be seen",
        reason: "they are read from /proc/self/cmdline, and there is no such file",
        remedy: "mount the file system, then call again: mount -t proc proc /proc"))
  }
}
