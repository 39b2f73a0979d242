internal import PassageDiagnostics
internal import PassageEngine
internal import PassageFiles
internal import PassagePlatform

/// Runs the commands that fetch and publish, one at a time for a store.
struct TransferCommand {
  /// How a command ended that was not ended by Passage.
  struct Outcome {
    var end: ChildProcess.End
    /// What it printed, if that was asked for.
    var output: [UInt8]
    /// The last part of what it said to standard error.
    var said: String
  }

  /// As `NAME=VALUE`.
  let environment: [String]
  /// Seconds after which it is ended.
  let timeLimit: Double
  let files: FileSystem
  /// The folder in which its output is kept while it runs.
  let folder: String
  /// The lock of the scratch folder. The command holds it too: if this process is killed, nobody takes
  /// the folder away from under a command that lives on.
  let lock: FileLock

  /// The most that a command may print where its output has a meaning, in bytes.
  static let maximumOutputBytes = 4_096
  /// So long has a command that is asked to end.
  private static let graceMilliseconds: UInt32 = 2_000

  /// Runs a command to its end.
  ///
  /// - Parameters:
  ///   - isOutputWanted: whether its standard output has a meaning.
  ///   - isStoppable: whether a cancellation ends it.
  /// - Throws: `FLT-071` if it cannot be started, `FLT-072` if it takes too long, `FLT-073` if it
  ///   prints too much, a cancellation, and an error of the files that have its output. Then the
  ///   command has ended.
  func run(
    _ template: TransferTemplate, _ values: [TransferTemplate.Placeholder: String], store: String,
    isOutputWanted: Bool = false, isStoppable: Bool = true, control: RunControl
  ) throws -> Outcome {
    var (output, errors) = (SpokenText("\(folder)/output"), SpokenText("\(folder)/errors"))
    let paths = [output.path, errors.path]
    for path in paths { try files.remove(path) }
    defer { for path in paths { try? files.remove(path) } }
    let process: ChildProcess
    do {
      process = try ChildProcess(
        template.arguments(values), environment: environment, output: output.path,
        errors: errors.path, lock: lock.file)
    } catch {
      throw Self.cannotStart(template, error, store: store)
    }
    let started = ContinuousClock.now
    var pause: UInt32 = 1
    var isRunning = true
    // Nothing that fails here leaves the command behind.
    defer { if isRunning { process.stop(graceMilliseconds: Self.graceMilliseconds) } }
    do {
      while true {
        if let end = process.end() {
          isRunning = false
          if isOutputWanted, try files.byteCount(output.path) > Self.maximumOutputBytes {
            throw prints(template, store, isStoppable)
          }
          return Outcome(
            end: end,
            output: isOutputWanted
              ? try files.record(output.path, limit: Self.maximumOutputBytes) ?? [] : [],
            said: errors.end)
        }
        let isLate = started.duration(to: .now) > .seconds(timeLimit)
        if isLate || isStoppable && control.shouldStop {
          process.stop(graceMilliseconds: Self.graceMilliseconds)
          isRunning = false
          if isLate { throw tooSlow(template, store, errors.end, isStoppable) }
          try control.checkCancellation()
        }
        if isOutputWanted, try files.byteCount(output.path) > Self.maximumOutputBytes {
          throw prints(template, store, isStoppable)
        }
        try errors.shorten(files)
        if !isOutputWanted { try output.shorten(files) }
        ChildProcess.pause(milliseconds: pause)
        pause = min(20, pause * 2)
      }
    } catch let failure as FileSystem.Failure {
      var error = MigrationError(failure, store: store)
      error.diskState = Self.diskState(isPublished: !isStoppable)
      throw error
    }
  }

  // MARK: Refusals

  private static func cannotStart(
    _ template: TransferTemplate, _ failure: ChildProcess.StartFailure, store: String
  ) -> MigrationError {
    let reason = "“\(template.program)”: \(failure)"
    return MigrationError(
      failure.isMissing
        ? Diagnostic(
          "FLT-071", "there is no such program as \(template.option) names",
          at: SourceLocation(file: store), reason: reason,
          remedy: "check the program's name or path, and its permissions")
        : Diagnostic(
          "FLT-082", "the command of \(template.option) cannot be started at the moment",
          at: SourceLocation(file: store), reason: reason,
          remedy: "run the same command again, with fewer stores at a time (--group)"),
      diskState: "nothing was published")
  }

  private func tooSlow(
    _ template: TransferTemplate, _ store: String, _ said: String, _ isStoppable: Bool
  ) -> MigrationError {
    MigrationError(
      Diagnostic(
        "FLT-072", "the command of \(template.option) took too long and was ended",
        at: SourceLocation(file: store),
        reason: "it did not end within \(Self.text(timeLimit)) s"
          + (said.isEmpty ? "" : "; it said: \(said)"),
        remedy: "check the connection, or allow more time (--transfer-limit)"),
      diskState: Self.diskState(isPublished: !isStoppable))
  }

  private func prints(
    _ template: TransferTemplate, _ store: String, _ isStoppable: Bool
  ) -> MigrationError {
    MigrationError(
      Diagnostic(
        "FLT-073", "the command of \(template.option) printed more than a mark",
        at: SourceLocation(file: store),
        reason: "it printed more than \(Self.maximumOutputBytes) bytes",
        remedy: "let it print one line, the mark of what is there"),
      diskState: Self.diskState(isPublished: !isStoppable))
  }

  /// - Parameter isPublished: whether the command that publishes has been run.
  static func diskState(isPublished: Bool) -> String {
    isPublished
      ? "what is stored is the whole old or the whole new store; the next run finds out which"
      : "nothing was published"
  }

  private static func text(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? "\(Int64(seconds))" : "\(seconds)"
  }
}
