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

  /// Refuses arguments that are not UTF-8. Swift puts another character in place of what it cannot read, and a
  /// file that the call does not name may have that character in its name.
  ///
  /// - Parameter arguments: the bytes of each, as the system gives them.
  /// - Throws: `CMD-096`.
  static func checkText(_ arguments: [[UInt8]]) throws(MigrationError) {
    guard
      let argument = arguments.first(where: { String(validating: $0, as: UTF8.self) == nil })
    else { return }
    throw MigrationError(
      Diagnostic(
        "CMD-096", "an argument is not UTF-8: “\(String(decoding: argument, as: UTF8.self))”",
        reason: "another file could be meant than the one that it names",
        remedy: "give the file or folder a name in UTF-8"))
  }

  /// The bytes of the process's arguments.
  static var bytes: [[UInt8]] {
    UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).map { text in
      guard let text else { return [] }
      var bytes: [UInt8] = []
      var place = text
      while place.pointee != 0 {
        bytes.append(UInt8(bitPattern: place.pointee))
        place += 1
      }
      return bytes
    }
  }
}
