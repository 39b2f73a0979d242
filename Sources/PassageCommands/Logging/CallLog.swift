internal import Passage
internal import PassageFiles
internal import PassageFleets
internal import PassagePlatform
internal import Synchronization

/// The log of a call: one line of JSON for each event. A line that cannot be written changes
/// nothing but the log: a warning says so once.
final class CallLog: Sendable {
  private struct State {
    var file: FileAppender?
    /// Whether it says that the call began.
    var isStarted = false
    /// Whether a warning has said that the log cannot be written.
    var isTold = false
    var lastProgress: ContinuousClock.Instant?
    /// Step and number of each pass whose start is written.
    var startedPasses: Set<[Int]> = []
    var finished: [MigrationProgress.FinishedPass] = []
    var input: StandardInput?
  }

  private static let interval = Duration.seconds(1)

  private let file: LogFile
  private let command: String
  private let console: Console
  private let started = ContinuousClock.now
  private let state = Mutex(State())

  /// Opens the log, which is created readable only by its owner, and writes that the call began.
  ///
  /// - Throws: ``MigrationError`` with `CMD-082` for a file that is not a log.
  init(_ path: String, command: String, console: Console) throws(MigrationError) {
    file = LogFile(path)
    self.command = command
    self.console = console
    try file.check(stores: [])
  }

  /// Refuses a log that belongs to one of the call's stores, then writes that the call began.
  ///
  /// - Throws: ``MigrationError`` with `CMD-082`.
  func check(stores: [String?]) throws(MigrationError) {
    try file.check(stores: stores.compactMap(\.self))
    start()
  }

  /// Refuses a log that belongs to a store of a fleet or to its result, then writes that the call began.
  ///
  /// - Throws: ``MigrationError`` with `CMD-082`.
  func check(
    _ names: StoreNames, places: ResultPlaces
  ) throws(MigrationError) {
    if let store = try places.owner(ofFileAt: file.path, among: names) {
      throw file.refusal(belongingTo: store)
    }
    start()
  }

  /// Refuses a log that is the ledger of a fleet, which need not be there yet.
  ///
  /// - Throws: ``MigrationError`` with `CMD-082`.
  func check(ledger: String) throws(MigrationError) {
    if PathText.absolute(ledger) == PathText.absolute(file.path) { throw file.refusalOfLedger }
  }

  private func start() {
    let isFirst = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    guard isFirst else { return }
    write("started", [("command", .string(command)), ("version", .string(PassageVersion.current))])
  }

  /// Calls a store that has come through standard input as the call does.
  func call(_ input: StandardInput?) { state.withLock { $0.input = input } }

  // MARK: Events

  /// Writes what is to be done.
  ///
  /// - Throws: ``MigrationError`` with `CMD-082` if the log belongs to one of the stores.
  func take(_ request: MigrationRequest) throws(MigrationError) {
    try file.check(stores: [request.storePath, request.destinationPath])
    write(
      "plan",
      [
        ("source", .path(request.storePath)), ("destination", .path(request.destinationPath)),
        (
          "mappings",
          .shortList(
            request.mappings.map {
              .shortObject([
                ("name", .string($0.name)), ("source", .string($0.source.value)),
                ("destination", .string($0.destination.value)),
              ])
            })
        ),
      ])
  }

  /// Writes the passes that have begun or ended and, once a second, how far the work has come.
  func note(_ progress: MigrationProgress) {
    let told = state.withLock { news(progress, &$0) }
    for pass in told.ended {
      // Of a slow reader's progress only the newest is left: the start may be missing.
      if !told.known.contains([pass.step, pass.pass]) {
        begin(pass.step, pass.pass, pass.passCount, pass.name, progress.stepCount, pass.read)
      }
      write(
        "passFinished",
        place(pass.step, pass.pass, pass.passCount, pass.name) + [
          ("read", .integer(pass.read)), ("seconds", .measure(pass.seconds)),
        ])
    }
    if told.isBegun {
      begin(
        progress.step, progress.pass, progress.passCount, progress.passName, progress.stepCount,
        progress.passTotal)
    }
    if told.isDue, case .shortObject(let members) = progress.json {
      write("progress", Array(members.dropFirst()))
    }
  }

  private func begin(
    _ step: Int, _ pass: Int, _ passCount: Int, _ name: String, _ stepCount: Int, _ objects: Int64
  ) {
    write(
      "passStarted",
      place(step, pass, passCount, name)
        + [("stepCount", .integer(stepCount)), ("objects", .integer(objects))])
  }

  private func news(
    _ progress: MigrationProgress, _ state: inout State
  ) -> (
    ended: [MigrationProgress.FinishedPass], known: Set<[Int]>, isBegun: Bool, isDue: Bool
  ) {
    let known = state.startedPasses
    for pass in progress.finishedPasses { state.startedPasses.insert([pass.step, pass.pass]) }
    let ended = progress.finishedPasses.filter { !state.finished.contains($0) }
    state.finished += ended
    var isBegun = false
    let isInPass = [.create, .relate, .validate].contains(progress.phase)
    let pass = [progress.step, progress.pass]
    if isInPass, !progress.passName.isEmpty, state.startedPasses.insert(pass).inserted {
      isBegun = true
    }
    let now = ContinuousClock.now
    let isDue = state.lastProgress.map { $0.duration(to: now) >= Self.interval } ?? true
    if isDue { state.lastProgress = now }
    return (ended, known, isBegun, isDue)
  }

  private func place(
    _ step: Int, _ pass: Int, _ passCount: Int, _ name: String
  ) -> [(name: String, value: JSONText)] {
    [
      ("step", .integer(step)), ("pass", .integer(pass)), ("passCount", .integer(passCount)),
      ("name", .string(name)),
    ]
  }

  /// Writes warnings.
  func warn(_ warnings: Diagnostics) {
    for warning in warnings.all { warn(warning) }
  }

  /// Writes a warning.
  func warn(_ warning: Diagnostic) { write("warning", members(of: warning)) }

  /// Writes that the command has ended.
  func finish(with result: CommandResult) {
    start()
    var outcome = JSONText.null
    if case .object(let members) = result.json,
      let found = members.first(where: { $0.name == "outcome" })
    {
      outcome = found.value
    }
    write(
      "finished",
      [
        ("outcome", outcome), ("exitStatus", .integer(result.exitStatus)), ("seconds", seconds),
      ])
  }

  /// Writes that the command has failed.
  func fail(with error: MigrationError) {
    // A file that was refused is not this call's log.
    guard error.diagnostics.all.first?.code != "CMD-082" else { return }
    start()
    let first = error.diagnostics.errors.first
    write(
      "failed",
      (first.map { members(of: $0) } ?? [("code", .null)]) + [
        ("exitStatus", .integer(error.kind.rawValue)), ("seconds", seconds),
      ])
  }

  private func members(of diagnostic: Diagnostic) -> [(name: String, value: JSONText)] {
    [
      ("code", .string(diagnostic.code)), ("message", .string(diagnostic.message)),
      ("file", .path(diagnostic.location?.file)),
      ("line", diagnostic.location?.line.map { .integer($0) } ?? .null),
      ("column", diagnostic.location?.column.map { .integer($0) } ?? .null),
    ]
  }

  private var seconds: JSONText { .measure(started.duration(to: .now) / .seconds(1)) }

  // MARK: Lines

  private func write(_ event: String, _ members: [(name: String, value: JSONText)]) {
    let now = Date().timeIntervalSinceReferenceDate
    let line = JSONText.shortObject(
      [("time", .string(MigrationRecord.timeText(now))), ("event", .string(event))] + members
    ).rendered()
    let problem = state.withLock { state in append(line, &state) }
    guard let problem else { return }
    console.printWarning(
      Diagnostic(
        "CMD-081", "the log cannot be written", severity: .warning,
        at: SourceLocation(file: file.path),
        reason: "\(problem)",
        remedy: "name a file in a folder that exists and can be written; the command itself is "
          + "not affected"))
  }

  /// - Returns: why the line could not be written, the first time.
  private func append(_ line: String, _ state: inout State) -> FileSystem.Failure? {
    guard !state.isTold else { return nil }
    do throws(FileSystem.Failure) {
      if state.file == nil { state.file = try FileAppender(file.path) }
      let line = state.input?.naming(in: line, .json) ?? line
      try state.file?.append(Array((line + "\n").utf8))
      return nil
    } catch {
      state.isTold = true
      return error
    }
  }
}

extension CommandContext {
  /// The log of the call; `nil` when none was asked for.
  @TaskLocal static var log: CallLog?
}
