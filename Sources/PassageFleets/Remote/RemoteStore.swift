internal import PassageDiagnostics
internal import PassageEngine
internal import PassageFiles
internal import PassagePlatform

/// One store that is not a file here, as the commands of a call see it.
struct RemoteStore {
  /// What is there.
  struct State: Hashable {
    /// Differs whenever something else is there.
    var mark: String
    /// The version with which it was published, if the command tells.
    var version: String?
  }

  /// How an attempt to publish ended.
  enum Publication {
    case done
    /// Something else is there than was fetched.
    case conflict
  }

  let name: String
  let commands: TransferCommands
  let command: TransferCommand
  let control: RunControl

  /// What is there now.
  ///
  /// - Parameter isPublished: whether the command that publishes was run before. Then the answer is
  ///   waited for, whatever happens.
  /// - Throws: `FLT-075` if the command fails, `FLT-076` for a mark that is none, `FLT-078` if nothing
  ///   is there.
  func state(isPublished: Bool = false) throws -> State {
    let outcome = try command.run(
      commands.exists, [.name: name], store: name, isOutputWanted: true, isStoppable: !isPublished,
      control: control)
    guard outcome.end == .exited(0) || outcome.end == .exited(TransferCommands.nothingStatus) else {
      throw failed(commands.exists, outcome, isPublished: isPublished)
    }
    let lines = outcome.output.split(separator: UInt8(ascii: "\n")).map { line in
      line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
    guard let first = lines.first, outcome.end == .exited(0) else {
      throw nothingThere(outcome, isPublished)
    }
    guard lines.count <= 2, let mark = Self.text(first), mark.contains(where: { !$0.isWhitespace })
    else {
      throw noMark(isPublished)
    }
    return State(mark: mark, version: lines.count == 2 ? Self.text(lines[1]) : nil)
  }

  /// Fetches what is there.
  ///
  /// - Throws: `FLT-075` if the command fails, `FLT-077` if it leaves no file of its own at the path, or an
  ///   empty one.
  func fetch(to path: String, _ state: State) throws {
    let outcome = try command.run(
      commands.fetch, [.name: name, .path: path, .mark: state.mark], store: name, control: control)
    guard outcome.end == .exited(0) else { throw failed(commands.fetch, outcome) }
    let entry = command.files.entry(path)
    if let obstacle = Self.obstacle(entry) {
      throw MigrationError(
        Diagnostic(
          "FLT-077", "the command of --fetch ended well and left no file of its own with contents",
          at: SourceLocation(file: name), reason: obstacle,
          remedy: "let the command write a copy of the store to {path}"),
        diskState: "nothing was published")
    }
  }

  /// Why what was fetched is not migrated. SQLite may write to it, so it must be no other file by a second name.
  private static func obstacle(_ entry: FileSystem.Entry?) -> String? {
    guard let entry else { return "nothing is at {path}" }
    guard entry.kind == .file else { return "at {path} is a \(entry.kind.rawValue)" }
    guard entry.bytes > 0 else { return "the file at {path} is empty" }
    return entry.links == 1 ? nil : "what is at {path} is a second name of another file"
  }

  /// Publishes a file. Once begun it is not cancelled, because nobody would know then whether it was
  /// published.
  ///
  /// - Throws: `FLT-075` if the command fails.
  func publish(_ path: String, over state: State, version: String) throws -> Publication {
    let outcome = try command.run(
      commands.publish,
      [.name: name, .path: path, .mark: state.mark, .version: version], store: name,
      isStoppable: false, control: control)
    switch outcome.end {
    case .exited(0): return .done
    case .exited(TransferCommands.conflictStatus): return .conflict
    default: throw failed(commands.publish, outcome, isPublished: true)
    }
  }

  // MARK: Refusals

  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    guard !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private func failed(
    _ template: TransferTemplate, _ outcome: TransferCommand.Outcome, isPublished: Bool = false
  ) -> MigrationError {
    let end =
      switch outcome.end {
      case .exited(let status): "it exited with \(status)"
      case .killed(let signal): "signal \(signal) ended it"
      }
    return MigrationError(
      Diagnostic(
        "FLT-075", "the command of \(template.option) failed", at: SourceLocation(file: name),
        reason: end + (outcome.said.isEmpty ? "" : " and said: \(outcome.said)"),
        remedy: "correct what it says, then run the same command again"),
      diskState: TransferCommand.diskState(isPublished: isPublished))
  }

  private func nothingThere(
    _ outcome: TransferCommand.Outcome, _ isPublished: Bool
  ) -> MigrationError {
    MigrationError(
      Diagnostic(
        "FLT-078", "nothing is stored under this name", at: SourceLocation(file: name),
        reason: "the command of --exists "
          + (outcome.end == .exited(0) ? "printed nothing" : "exited with 1")
          + (outcome.said.isEmpty ? "" : " and said: \(outcome.said)"),
        remedy: "check the list of names, and what the command makes of one"),
      diskState: TransferCommand.diskState(isPublished: isPublished))
  }

  private func noMark(_ isPublished: Bool) -> MigrationError {
    MigrationError(
      Diagnostic(
        "FLT-076", "the command of --exists printed no mark", at: SourceLocation(file: name),
        reason:
          "a mark is one line of UTF-8 without the byte 0, perhaps followed by a line with the "
          + "version",
        remedy: "let it print the mark and nothing else, or nothing at all if nothing is there"),
      diskState: TransferCommand.diskState(isPublished: isPublished))
  }
}
