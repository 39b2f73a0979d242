package import PassageFiles
internal import PassageDiagnostics
internal import PassageStores
internal import PassagePlatform

/// The folder beside the destination where a migration works: `<destination>.passage/`.
///
/// ```
/// passage-work          says that Passage made the folder: see `WorkFolder`
/// lock                  held while a runner lives
/// source.sqlite         a source of another type in Core Data's layout
/// run.json              which migration this is, and on which run of the machine
/// step-1/pass-1.sqlite  one store for each pass
/// step-1/journal.sqlite how far the passes have come
/// step-1/store.sqlite   the step's store, sealed and synced
/// step-1/account.json   what became of every object of the step
/// output                the finished store in another type
/// ….quarantine.jsonl    beside the finished store: what was quarantined
/// cut-over              while a cut-over in place is under way
/// kept                  the old store while it is copied to be kept
/// ```
///
/// Every name is listed in `WorkNames`.
package struct Workspace {
  package let directory: String
  private let files: FileSystem

  /// - Parameter files: anchored at the folder, save where nothing was found out about it yet.
  package init(destination: String, files: FileSystem) {
    directory = Self.directory(ofDestination: destination)
    self.files = files
  }

  static func directory(ofDestination path: String) -> String { path + ".passage" }

  package var lockPath: String { directory + "/lock" }
  /// Stands while a cut-over in place is under way.
  private var cutOverMarkPath: String { directory + "/cut-over" }
  /// Where the old store is copied to be kept, on a file system without links.
  var keptPath: String { directory + "/kept" }
  private var runPath: String { directory + "/run.json" }

  /// A source of another type in Core Data's layout.
  var stagedPath: String { directory + "/source.sqlite" }
  /// The same while it is written.
  var stagingPath: String { directory + "/source-staging.sqlite" }
  /// The finished store in another type while it is written.
  var outputPath: String { directory + "/output" }

  /// Where a store can be that is about to be put in place: it is gone from there when it was.
  var finishedPaths: [String] {
    get throws {
      try [outputPath]
        + files.names(in: directory).filter { $0.hasPrefix("step-") }
        .map { "\(directory)/\($0)/\(Self.sealedName)" }
    }
  }

  private static let sealedName = "store.sqlite"
  private static let journalName = "journal.sqlite"

  func stepDirectory(_ step: Int) -> String { "\(directory)/step-\(step + 1)" }
  func passPath(step: Int, pass: Int) -> String {
    "\(stepDirectory(step))/pass-\(pass + 1).sqlite"
  }
  /// How far a step's passes have come, and what they remember of each other.
  func journalPath(step: Int) -> String { "\(stepDirectory(step))/\(Self.journalName)" }
  func sealedPath(step: Int) -> String { "\(stepDirectory(step))/\(Self.sealedName)" }
  func accountPath(step: Int) -> String { "\(stepDirectory(step))/account.json" }

  /// What identifies a migration that can be continued.
  struct Identity: Codable, Hashable {
    /// The source's fingerprint: a changed source makes the work done worthless.
    var source: String
    /// A digest of the models, mapping models and options that decide the result.
    var plan: String
    /// By step and pass, what identifies the program's code that takes part, by its name.
    var code: [[[String: String]]]
    /// The run of the machine in which unsynced work was written; `nil` where it cannot be determined.
    var boot: String?
    /// A digest of the folder's path: what an interrupted transaction left refers to files by their
    /// paths, and is not to be trusted elsewhere.
    var place: String
    /// What `now()` gives for the whole migration.
    var now: Double
  }

  /// What the folder holds.
  enum Holding {
    case nothing
    case work(Identity)
    /// Work of which it is not known what it belongs to, and why.
    case unknown(String)
  }

  /// Whether a migration has begun its work here, readable or not: it is not touched by others.
  package var holdsRun: Bool { get throws { try files.exists(runPath) } }

  /// The work that is here, and which migration it belongs to.
  ///
  /// - Throws: `FileSystem.Failure` when that cannot be determined.
  func holding() throws -> Holding {
    guard let bytes = try files.record(runPath) else {
      let hasWork = try files.names(in: directory).contains {
        $0.hasPrefix("step-") || $0.hasPrefix("source")
      }
      return hasWork ? .unknown("nothing says which migration it belonged to") : .nothing
    }
    do {
      return .work(try JSONDecoder().decode(Identity.self, from: Data(bytes)))
    } catch {
      return .unknown(
        "what says which migration it belonged to (run.json) is damaged, or of another version of "
          + "Passage")
    }
  }

  /// The migration whose work is here; `nil` when there is none, or none that this version wrote.
  ///
  /// - Throws: `FileSystem.Failure` when that cannot be determined.
  func identity() throws -> Identity? {
    guard case .work(let identity) = try holding() else { return nil }
    return identity
  }

  /// Says which migration this is. Durable before anything is made that is trusted after a power
  /// failure: a step's store must not be found beside what an earlier migration said.
  func write(_ identity: Identity) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try files.writeDurably(Array(encoder.encode(identity)), to: runPath)
  }

  // MARK: The cut-over

  /// The mark of the cut-over that is, or was, under way; `nil` when there is none. One that says
  /// nothing speaks of no store.
  ///
  /// - Throws: `FileSystem.Failure` when it cannot be read.
  func cutOverMark() throws -> CutOverMark? {
    try files.record(cutOverMarkPath, limit: 1 << 16).flatMap {
      try? JSONDecoder().decode(CutOverMark.self, from: Data($0))
    }
  }

  /// Marks the cut-over, durably: the folder's own name too.
  func write(_ mark: CutOverMark) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try files.writeDurably(Array(encoder.encode(mark)), to: cutOverMarkPath)
    try files.synchronizeDirectory(StoreUnit(path: directory).folder)
  }

  /// Throws all work of a step away, its sealed store too.
  func clearStep(_ step: Int) throws {
    let directory = stepDirectory(step)
    if files.isDirectory(directory) { try files.removeDirectory(directory) }
  }

  /// Throws the unsealed work of a step away: the journal first, without which the rest is not there.
  func clearPasses(ofStep step: Int) throws {
    let directory = stepDirectory(step)
    let names = try files.names(in: directory)
    for name in names.filter({ $0.hasPrefix(Self.journalName) }).sorted() {
      try files.remove(directory + "/" + name)
    }
    for name in names where name.hasPrefix("pass-") { try files.remove(directory + "/" + name) }
  }

  /// Throws one pass's store away.
  func clearPass(step: Int, pass: Int) throws {
    let path = passPath(step: step, pass: pass)
    for path in [path, path + "-journal", path + "-wal", path + "-shm"] { try files.remove(path) }
  }

  /// The record of what was quarantined in a step, a line each; there is no file when nothing was.
  func quarantinePath(step: Int) -> String {
    "\(stepDirectory(step))/quarantine.jsonl"
  }

  /// What became of every object of a step; `nil` when the step was not judged yet.
  ///
  /// - Throws: `RUN-063` when the record is there and cannot be read.
  func accounts(ofStep step: Int) throws -> [MappingAccount]? {
    let path = accountPath(step: step)
    do {
      return try files.record(path, limit: 1 << 30).map {
        try JSONDecoder().decode([MappingAccount].self, from: Data($0))
      }
    } catch let failure as FileSystem.Failure {
      throw failure
    } catch {
      throw MigrationError(
        .inputOutput,
        Diagnostic(
          "RUN-063", "a record of the work so far cannot be read", at: SourceLocation(file: path),
          reason: "it is not what Passage wrote", remedy: "start over (--fresh)"))
    }
  }

  func write(_ accounts: [MappingAccount], step: Int) throws {
    try files.write(Array(JSONEncoder().encode(accounts)), to: accountPath(step: step))
  }
}
