internal import ArgumentParser
internal import Passage
internal import PassageFiles
internal import PassagePlatform
internal import PassageTesting

/// `migrate rehearse`: tries the migrations of a project.
struct RehearseCommand: PassageCommand {
  static let configuration = CommandConfiguration(
    commandName: "rehearse",
    abstract: "Tries every way from every version to the newest, with made-up and real stores.",
    discussion: """
      Of each version of the history a store with made-up objects is made, and migrated directly, \
      step by step, in every lane, stopped and continued, and in place. All ways must give the same \
      store. So must they for each store in --stores, which is only read. Everything is thrown away.

      Exit status 0 when nothing went wrong; otherwise that of the first failure, or 42 when two \
      ways gave different stores.
      """)

  @Option(
    help: ArgumentHelp(
      "A folder with real stores, which go the same ways.", valueName: "folder"),
    completion: .directory, transform: PathText.file)
  var stores: String?

  @Option(
    help: ArgumentHelp("The version to reach. (default: the newest)", valueName: "version"))
  var to: String?

  @Option(help: ArgumentHelp("How many objects of each entity are made up.", valueName: "count"))
  var size = 40

  @Option(
    help: ArgumentHelp(
      "The seed of the made-up objects. (default: a new one, which is printed)",
      valueName: "number"))
  var seed: UInt64?

  @Flag(help: "Leave no made-up attribute or relationship empty.")
  var withoutNil = false

  @Flag(help: "Allow an inferred mapping model where none is named.")
  var infer = false

  @Option(
    help: ArgumentHelp(
      "Write the result as JUnit's XML too.", valueName: "file"),
    completion: .file(), transform: PathText.file)
  var junit: String?

  @Option(
    help: ArgumentHelp(
      "The folder with history.json and the models. (default: Migrations)", valueName: "folder"),
    completion: .directory, transform: PathText.file)
  var migrations: String?

  @Option(
    help: ArgumentHelp(
      "The folder with the mapping models. (default: Mappings)", valueName: "folder"),
    completion: .directory, transform: PathText.file)
  var mappingsDir: String?

  @OptionGroup(title: "Report") var report: ReportArguments

  @OptionGroup var format: FormatArguments

  func perform(_ console: Console) async throws -> CommandResult {
    guard (1...100_000).contains(size) else {
      throw MigrationError(
        Diagnostic(
          "CMD-002", "--size cannot be \(size)", remedy: "give a number from 1 to 100000"))
    }
    if let stores, !FileSystem().isDirectory(stores) {
      throw MigrationError(
        NeededFolder.missing(
          stores, "the folder of the stores", remedy: "name a folder with stores"))
    }
    if let occupied = try occupant() { throw MigrationError(occupied) }
    let paths = try storePaths()
    // A seed of its own, so that a page about a call that was stopped names it too.
    let seed = seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
    return try await ReportedCall(path: report.path, command: Self.name, console: console)
      .perform(stores: paths, notes: RehearsalNotes(again: again(seed))) { notes in
        try await rehearse(paths, seed: seed, console, &notes)
      }
  }

  private func rehearse(
    _ paths: [String], seed: UInt64, _ console: Console, _ notes: inout RehearsalNotes
  ) async throws -> CommandResult {
    var rehearsal = Rehearsal(
      migrations: URL(filePath: migrations ?? "Migrations"),
      mappings: URL(filePath: mappingsDir ?? "Mappings"), registry: CommandContext.policies)
    rehearsal.objectCount = size
    rehearsal.seed = seed
    rehearsal.target = to
    rehearsal.makesNil = !withoutNil
    rehearsal.allowsInference = infer
    let work = BackgroundWork(storePath: migrations ?? "Migrations") {
      [rehearsal] control in try rehearsal.run(stores: paths, control: control)
    }
    let report = try await ForegroundWork(console: console, style: .none).run(work)
    notes.report = report
    if let junit {
      // A link and permissions stay, as with other outputs.
      let files = FileSystem()
      try files.write(
        Array(report.junit.utf8), to: files.resolved(junit), keepsPermissions: true)
    }
    return RehearsalText(report, junitPath: junit, again: again(seed)).result(command: Self.name)
  }

  /// The command that makes up the same objects and goes the same ways, ready to be pasted.
  private func again(_ seed: UInt64) -> String {
    var words = ["migrate", "rehearse", "--seed", "\(seed)", "--size", "\(size)"]
    if withoutNil { words.append("--without-nil") }
    if infer { words.append("--infer") }
    for (option, value) in [
      ("--to", to), ("--stores", stores), ("--migrations", migrations),
      ("--mappings-dir", mappingsDir),
    ] {
      if let value { words += [option, value.shellQuoted] }
    }
    return words.joined(separator: " ")
  }

  /// What is at the place of the XML and must stay.
  private func occupant() throws -> Diagnostic? {
    guard let junit else { return nil }
    let files = FileSystem()
    if let refusal = ReplaceableFile.refusal(junit) { return refusal }
    let folder = FileSystem.folder(of: junit)
    guard files.isDirectory(folder) else {
      return NeededFolder.missing(folder, "the folder of the result")
    }
    let reason: String? =
      if junit == report.path {
        "--report names the same file"
      } else if try files.exists(junit), try !isResult(junit) {
        "the file there is not such a result"
      } else {
        nil
      }
    return reason.map {
      Diagnostic(
        "CMD-100", "the result would replace another file", at: SourceLocation(file: junit),
        reason: $0, remedy: "name another file with --junit")
    }
  }

  /// Whether a file begins as JUnit's XML does, or is empty, as one that `mktemp` has made.
  private func isResult(_ path: String) throws -> Bool {
    let start = String(decoding: try FileSystem.prefix(path, count: 512), as: UTF8.self)
    return start.isEmpty || start.contains("<testsuite")
  }

  /// What the names of stores end with.
  private static let storeExtensions: Set = [
    "sqlite", "sqlite3", "sqlitedb", "db", "store", "storedata",
  ]

  /// The stores in the folder: files that begin as SQLite's do, and those that are named like stores. One
  /// that is no store, such as a file that was not fetched, is not passed over.
  private func storePaths() throws -> [String] {
    guard let stores else { return [] }
    do {
      return try FileSystem.names(in: stores).map { "\(stores)/\($0)" }.filter { path in
        guard FileSystem().entry(path)?.kind == .file else { return false }
        if Self.storeExtensions.contains(URL(filePath: path).pathExtension.lowercased()) {
          return true
        }
        return try FileSystem.prefix(path, count: 15) == Array("SQLite format 3".utf8)
      }
    } catch {
      throw MigrationError(error, store: stores)
    }
  }
}
