/// Another program, run by this one without a shell. It is the leader of a process group of its own,
/// so that ending it ends what it has started too.
package struct ChildProcess: Sendable {
  private let number: pid_t

  /// Starts a program. `posix_spawn(3)`.
  ///
  /// Its standard input is empty. Signals have their usual effect in it, whatever this process does
  /// with them.
  ///
  /// - Parameters:
  ///   - arguments: the program first: a path, or a name that is looked up along the `PATH` of the
  ///     environment that it gets.
  ///   - environment: as `NAME=VALUE`.
  ///   - output: the file to which its standard output is appended; it is created.
  ///   - errors: the same for its standard error.
  ///   - lock: an open file that it inherits and keeps open, so that a lock on it outlives this
  ///     process as long as the program runs.
  /// - Throws: ``StartFailure``.
  package init(
    _ arguments: [String], environment: [String], output: String, errors: String, lock: Int32
  ) throws(StartFailure) {
    var number: pid_t = 0
    let programs = Self.paths(of: arguments.first ?? "", along: environment)
    let error = Self.withActions(output, errors, lock) { actions, attributes in
      Self.withTexts(arguments) { arguments in
        Self.withTexts(environment) { environment in
          var found = ENOENT
          for program in programs {
            let error = posix_spawn(
              &number, program, actions, attributes, arguments, environment)
            // What is no program is passed over, as a shell does; a file that may not be run is told.
            guard [ENOENT, ENOTDIR, EACCES].contains(error) else { return error }
            if error == EACCES { found = error }
          }
          return found
        }
      }
    }
    guard error == 0 else { throw StartFailure(errorNumber: error) }
    self.number = number
  }

  /// Why a program could not be started.
  package struct StartFailure: Error, CustomStringConvertible {
    package var errorNumber: Int32
    package var description: String { String(cString: strerror(errorNumber)) }
    /// Whether there is no such program.
    package var isMissing: Bool { [ENOENT, ENOTDIR, EACCES, ENOEXEC].contains(errorNumber) }
  }

  /// How a program ended.
  package enum End: Sendable, Hashable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  /// How it ended; `nil` while it runs. After it has ended, this must not be called again.
  /// `waitpid(2)`.
  package func end() -> End? {
    var status: Int32 = 0
    while true {
      let found = waitpid(number, &status, WNOHANG)
      if found == 0 { return nil }
      if found < 0, errno == EINTR { continue }
      // Somebody else has waited for it: nothing is known about its end.
      if found < 0 { return .killed(signal: 0) }
      let signal = status & 0x7F
      return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
    }
  }

  /// Ends it and what it has started: first it is asked to, and has so much time for it. Waits for its
  /// end, after which ``end()`` must not be called. `kill(2)`.
  package func stop(graceMilliseconds: UInt32) {
    _ = kill(-number, SIGTERM)
    var waited: UInt32 = 0
    while waited < graceMilliseconds, !hasEnded {
      Self.pause(milliseconds: 10)
      waited += 10
    }
    // As long as nobody has waited for it, no other group can have its number.
    _ = kill(-number, SIGKILL)
    var status: Int32 = 0
    while waitpid(number, &status, 0) < 0, errno == EINTR {}
  }

  /// Whether it has ended, without taking note of it. `waitid(2)`.
  private var hasEnded: Bool {
    var found = siginfo_t()
    guard waitid(P_PID, id_t(number), &found, WEXITED | WNOHANG | WNOWAIT) == 0 else { return true }
    return found.si_signo != 0
  }

  /// Waits for a number of milliseconds. `usleep(3)`.
  package static func pause(milliseconds: UInt32) { usleep(milliseconds * 1_000) }

  // MARK: Starting

  /// Where a program can be: a name without a slash is looked up.
  private static func paths(of program: String, along environment: [String]) -> [String] {
    guard !program.isEmpty, !program.contains("/") else { return [program] }
    let start = "PATH="
    let folders =
      environment.first { $0.hasPrefix(start) }?.dropFirst(start.count) ?? "/usr/bin:/bin"
    return folders.split(separator: ":", omittingEmptySubsequences: false).map {
      // An empty name is the current folder.
      $0.isEmpty ? "./\(program)" : "\($0)/\(program)"
    }
  }

  #if canImport(Darwin)
    private typealias Actions = posix_spawn_file_actions_t?
    private typealias Attributes = posix_spawnattr_t?
    private static var noActions: Actions { nil }
    private static var noAttributes: Attributes { nil }
  #else
    private typealias Actions = posix_spawn_file_actions_t
    private typealias Attributes = posix_spawnattr_t
    private static var noActions: Actions { Actions() }
    private static var noAttributes: Attributes { Attributes() }
  #endif

  private static func withActions(
    _ output: String, _ errors: String, _ lock: Int32,
    _ body: (UnsafePointer<Actions>, UnsafePointer<Attributes>) -> Int32
  ) -> Int32 {
    var (actions, attributes) = (noActions, noAttributes)
    guard posix_spawn_file_actions_init(&actions) == 0 else { return ENOMEM }
    defer { posix_spawn_file_actions_destroy(&actions) }
    guard posix_spawnattr_init(&attributes) == 0 else { return ENOMEM }
    defer { posix_spawnattr_destroy(&attributes) }
    let appending = O_WRONLY | O_CREAT | O_APPEND
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, appending, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errors, appending, 0o600)
    // The copy is not closed when the program starts, not even if it is the file itself.
    posix_spawn_file_actions_adddup2(&actions, lock, 3)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    return body(&actions, &attributes)
  }

  /// Texts as C has them, ended by `nil`.
  private static func withTexts(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Int32
  ) -> Int32 {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    guard !copies.contains(nil) else { return ENOMEM }
    return body(copies + [nil])
  }
}
