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
    completion: .directory, transform: PathText.normalized)
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
    completion: .file(), transform: PathText.normalized)
  var junit: String?

  @Option(
    help: ArgumentHelp(
      "The folder with history.json and the models. (default: Migrations)", valueName: "folder"),
    completion: .directory, transform: PathText.normalized)
  var migrations: String?

  @Option(
    help: ArgumentHelp(
      "The folder with the mapping models. (default: Mappings)", valueName: "folder"),
    completion: .directory, transform: PathText.normalized)
  var mappingsDir: String?

  @OptionGroup var format: FormatArguments

  func perform(_ console: Console) async throws -> CommandResult {
    guard (1...100_000).contains(size) else {
      throw MigrationError(
        Diagnostic(
          "CMD-002", "--size cannot be \(size)", remedy: "give a number from 1 to 100000"))
    }
    if let stores, !FileSystem().isDirectory(stores) {
      throw MigrationError(
        Diagnostic(
          "RUN-003", "the folder of the stores does not exist",
          at: SourceLocation(file: stores), remedy: "name a folder with stores"))
    }
    if let junit, let occupied = try occupant(junit) { throw MigrationError(occupied) }
    let paths = try storePaths()
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
    if let junit { try FileSystem().write(Array(report.junit.utf8), to: junit) }
    return RehearsalText(report, junitPath: junit).result(command: Self.name)
  }

  /// What is at the place of the XML and is not a file.
  private func occupant(_ path: String) throws -> Diagnostic? {
    let files = FileSystem()
    if files.isDirectory(path) { return OccupiedPlace.refusal(path) }
    let folder = FileSystem.folder(of: path)
    guard !files.isDirectory(folder) else { return nil }
    return Diagnostic(
      "RUN-003", "the folder of the result does not exist", at: SourceLocation(file: folder),
      remedy: "create the folder first")
  }

  /// The stores in the folder: files that begin as SQLite's do, without kept stores' logs.
  private func storePaths() throws -> [String] {
    guard let stores else { return [] }
    do {
      return try FileSystem.names(in: stores).map { "\(stores)/\($0)" }.filter { path in
        guard FileSystem().entry(path)?.kind == .file else { return false }
        return try FileSystem.prefix(path, count: 15) == Array("SQLite format 3".utf8)
      }
    } catch {
      throw MigrationError(error, store: stores)
    }
  }
}
