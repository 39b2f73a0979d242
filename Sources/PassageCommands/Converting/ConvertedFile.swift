internal import Passage
internal import PassageFiles
internal import PassageFleets
internal import PassagePlatform
internal import PassageStores

/// A file that a conversion writes.
struct ConvertedFile {
  enum Kind: String {
    case model
    case mappingModel
    case history
    case schema
    case diagram
    /// Swift code, or the manifest of a package.
    case source
    case settings
    /// What became of a fleet.
    case report
  }

  enum State: String {
    /// The file did not exist, or was replaced.
    case written
    /// The file exists with the same contents.
    case unchanged
    /// The file exists with other contents and is kept.
    case kept
  }

  var path: String
  var kind: Kind
  /// The name in the project: that of a version or a mapping model.
  var name: String
  var contents: String
  var state = State.written

  /// The file in the result of a command.
  var json: JSONText {
    .shortObject([
      ("path", .path(path)), ("kind", .string(kind.rawValue)), ("name", .string(name)),
      ("state", .string(state.rawValue)),
    ])
  }

  /// What the file holds, for a table.
  var holds: String {
    switch kind {
    case .model: "model “\(name)”"
    case .mappingModel: "mapping model “\(name)”"
    case .history: "history"
    case .schema: "schema “\(name)”"
    case .diagram: "diagram “\(name)”"
    case .source: name
    case .settings: "settings"
    case .report: name
    }
  }

  /// Whether the file at the path has the same contents; `nil` if there is no file. A pipe is not read,
  /// which would wait for its other end.
  var isSame: Bool? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    guard ReplaceableFile.refusal(path) == nil else { return false }
    return FileManager.default.contents(atPath: path) == Data(contents.utf8)
  }

  /// What is at the path and is not replaced even by force, because it may be all that there is of it;
  /// `nil` for any other file.
  private var keepsake: String? {
    guard let start = try? FileSystem.prefix(path, count: LedgerReader.shownBytes) else {
      return nil
    }
    if start.starts(with: DatabaseHeader.magic) { return "a database" }
    if LedgerReader.isLedger(start) { return "the ledger of a fleet" }
    guard !start.isEmpty, let type = CommandContext.storeTypes.type(ofFileAt: path) else {
      return nil
    }
    // The extension alone makes no store of a text.
    let isText = TextStoreSettings.Kind(rawValue: type.name) != nil
    let hasSettings = FileSystem().entry(TextStoreSettings.path(of: path)) != nil
    return isText && !hasSettings ? nil : type.title
  }

  /// The file with its state. One that differs must be replaced by force, and a store or a ledger never
  /// is (`CMD-030`), nor what is no regular file (`RUN-002`).
  ///
  /// - Parameter isNamed: whether the call names the file itself, and not its folder.
  func judged(
    isForced: Bool, isNamed: Bool = false, _ mistakes: inout CallMistakes
  ) -> ConvertedFile {
    if let refusal = ReplaceableFile.refusal(path) {
      mistakes.add(inFiles: Diagnostics([refusal]))
      return self
    }
    var file = self
    switch isSame {
    case nil: break
    case true?: file.state = .unchanged
    case false?:
      if let keepsake {
        mistakes.add(
          Diagnostic(
            "CMD-030", "a different file exists already", at: SourceLocation(file: path),
            reason: "it is \(keepsake), which is never replaced here", remedy: "name another file"))
        break
      }
      if isForced { break }
      mistakes.add(
        Diagnostic(
          "CMD-030", "a different file exists already", at: SourceLocation(file: path),
          remedy: "name another \(isNamed ? "file" : "folder"), move this one away, or replace it "
            + "with --force"))
    }
    return file
  }

  /// Writes those of the files that are to be written, one after the other. Throws the errors of ``write()``.
  static func write(_ files: [ConvertedFile]) throws(MigrationError) {
    var isFirst = true
    for file in files where file.state == .written {
      try file.write(
        diskState: isFirst
          ? nothingWritten : "the files before this one are written; each of them is complete")
      isFirst = false
    }
  }

  private static let nothingWritten = "nothing was written"

  /// Writes the file atomically, and creates its folder. A link stays one to the file, and a file that
  /// exists keeps its permissions.
  ///
  /// - Throws: ``MigrationError`` with `RUN-002` where there is something that is no regular file, `RUN-006`
  ///   or `RUN-007`.
  func write() throws(MigrationError) { try write(diskState: Self.nothingWritten) }

  private func write(diskState: String) throws(MigrationError) {
    try ReplaceableFile.check(path, diskState: diskState)
    do {
      let files = FileSystem()
      if try files.exists(path) {
        try files.write(Array(contents.utf8), to: files.resolved(path), keepsPermissions: true)
        return
      }
      let url = URL(filePath: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(contents.utf8).write(to: url, options: .atomic)
    } catch {
      throw Self.failure(error, at: path, diskState: diskState)
    }
  }

  /// What the system says of an error; `nil` if the error is none of the system's.
  private static func systemReason(_ error: any Error) -> String? {
    let number =
      (error as? FileSystem.Failure)?.errorNumber
      ?? ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
    return number.map { String(cString: strerror($0)) }
  }

  /// The failure to write a file: `RUN-006` or `RUN-007`.
  static func failure(_ error: any Error, at path: String, diskState: String) -> MigrationError {
    let isFull =
      (error as? CocoaError)?.code == .fileWriteOutOfSpace
      || (error as? FileSystem.Failure)?.errorNumber == ENOSPC
    return MigrationError(
      Diagnostic(
        isFull ? "RUN-006" : "RUN-007",
        isFull ? "the disk is full" : "the operating system refused an operation",
        at: SourceLocation(file: path),
        reason: "the file cannot be written" + (systemReason(error).map { ": \($0)" } ?? ""),
        remedy: isFull
          ? "free some disk space, then run the same command again"
          : "check what is at this path and its folder, and whether you may write there"),
      diskState: diskState)
  }
}
