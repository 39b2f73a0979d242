internal import Passage
internal import PassagePlatform
internal import Synchronization

/// Writes to standard output and standard error.
struct Console: Sendable {
  /// Writes a result to standard output, ended by one line break.
  func printResult(_ text: OutputText) { write(text, to: STDOUT_FILENO) }

  /// Writes a result to standard output as one JSON object.
  func printResult(_ json: JSONText) { printResult(OutputText(verbatim: json.rendered())) }

  /// Writes a part of a result for programs to standard output unchanged.
  func printPart(_ text: String) { write(text, to: STDOUT_FILENO, isVerbatim: true) }

  /// Writes a message to standard error, ended by one line break.
  func printMessage(_ text: OutputText) { write(text, to: STDERR_FILENO) }

  /// Writes a message of one line to standard error.
  func printMessage(_ line: String) { printMessage(OutputText(line)) }

  /// Writes a message to standard error as one JSON object.
  func printMessage(_ json: JSONText) { printMessage(OutputText(verbatim: json.rendered())) }

  /// Writes a warning to standard error, unless only errors are wanted.
  func printWarning(_ diagnostic: Diagnostic, texts: [String: String] = [:]) {
    let look = CommandContext.look
    guard !look.isQuiet else { return }
    printMessage(OutputText(Diagnostics([diagnostic]), texts: texts, in: look.messagePalette))
  }

  /// Writes to standard error unchanged, with what the program does to the terminal.
  func printRaw(_ text: String) { write(text, to: STDERR_FILENO, isVerbatim: false) }

  /// Whether standard error is a terminal on which a line can be overwritten.
  var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// The width of the terminal on standard error in columns; 80 if it is not known.
  var errorColumns: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// The number of the first error in writing to standard output; 0 if there was none.
  private static let outputError = Atomic<Int32>(0)

  /// Whether nobody reads standard output any more.
  static var isOutputClosed: Bool { outputError.load(ordering: .relaxed) == EPIPE }

  /// Whether the command has done what it was asked for, apart from its answer.
  private static let isWorkDone = Atomic(false)

  /// Notes that the command has done what it was asked for, so that it is not told to be run again when its
  /// result cannot be written.
  static func noteWork() { isWorkDone.store(true, ordering: .relaxed) }

  /// Why standard output lacks a part of what was written to it; `nil` if it lacks nothing.
  static var outputFailure: MigrationError? {
    let number = outputError.load(ordering: .relaxed)
    guard number != 0, number != EPIPE else { return nil }
    let isFull = number == ENOSPC || number == EDQUOT
    let isDone = isWorkDone.load(ordering: .relaxed)
    return MigrationError(
      Diagnostic(
        isFull ? "RUN-006" : "RUN-007",
        isFull ? "the disk is full" : "the operating system refused an operation",
        reason: "standard output could not be written: \(String(cString: strerror(number)))",
        remedy: isDone
          ? "the command need not be run again: only what it printed is not complete"
          : "what was printed is not complete: "
            + (isFull ? "free some disk space, then" : "name another file,")
            + " run the same command again"),
      diskState: isDone ? "the command has done what it was asked for" : nil)
  }

  private func write(_ text: OutputText, to file: Int32) {
    write(text.joined + "\n", to: file, isVerbatim: text.isVerbatim)
  }

  /// Writes all bytes. Gives up if nobody reads the output any more.
  ///
  /// - Parameter isVerbatim: whether the text is for programs; a terminal gets no control characters of it.
  private func write(_ text: String, to file: Int32, isVerbatim: Bool) {
    var text = CommandContext.input?.naming(in: text, isVerbatim ? .json : .message) ?? text
    if isVerbatim, isatty(file) == 1 { text = TerminalText.harmless(text) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(file, $0) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        if file == STDOUT_FILENO {
          _ = Self.outputError.compareExchange(
            expected: 0, desired: errno, ordering: .relaxed)
        }
        return
      }
      rest = rest.dropFirst(count)
    }
  }
}

// Needed because the struct's own method has the same name.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(file, bytes.baseAddress, bytes.count)
}
