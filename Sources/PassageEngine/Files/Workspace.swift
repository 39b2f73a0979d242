internal import FoundationEssentials
internal import PassageStores

/// The folder beside the destination where a migration works: `<destination>.passage/`.
///
/// ```
/// lock                  held while a runner lives
/// source.sqlite         a source of another type in Core Data's layout
/// run.json              which migration this is, and on which run of the machine
/// step-1/pass-1.sqlite  one store for each pass
/// step-1/store.sqlite   the step's store, sealed and synced
/// step-1/account.json   what became of every object of the step
/// output                the finished store in another type
/// ….quarantine.jsonl    beside the finished store: what was set aside
/// ```
struct Workspace {
  let directory: String
  private let files: FileSystem

  init(destination: String, files: FileSystem) {
    directory = destination + ".passage"
    self.files = files
  }

  var lockPath: String { directory + "/lock" }
  /// Stands while a cut-over in place is under way.
  var cutOverMarkPath: String { directory + "/cut-over" }
  private var runPath: String { directory + "/run.json" }

  /// A source of another type in Core Data's layout.
  var stagedPath: String { directory + "/source.sqlite" }
  /// The same while it is written.
  var stagingPath: String { directory + "/source-staging.sqlite" }
  /// The finished store in another type while it is written.
  var outputPath: String { directory + "/output" }

  /// Where a store can be that is about to be put in place: it is gone from there when it was.
  var finishedPaths: [String] {
    [outputPath]
      + files.names(in: directory).filter { $0.hasPrefix("step-") }
      .map { "\(directory)/\($0)/\(Self.sealedName)" }
  }

  private static let sealedName = "store.sqlite"

  func stepDirectory(_ step: Int) -> String { "\(directory)/step-\(step + 1)" }
  func passPath(step: Int, pass: Int) -> String {
    "\(stepDirectory(step))/pass-\(pass + 1).sqlite"
  }
  func sealedPath(step: Int) -> String { "\(stepDirectory(step))/\(Self.sealedName)" }
  func accountPath(step: Int) -> String { "\(stepDirectory(step))/account.json" }

  /// What identifies a migration that can be continued.
  struct Identity: Codable, Hashable {
    /// The source's fingerprint: a changed source makes the work done worthless.
    var source: String
    /// A digest of the models, mapping models and options that decide the result.
    var plan: String
    /// By step and pass, what tells the program's code that takes part from another, by its name.
    var code: [[[String: String]]]
    /// The run of the machine in which unsynced work was written; `nil` where it cannot be told.
    var boot: String?
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

  /// Whether a migration has begun its work here, readable or not.
  var holdsRun: Bool { files.exists(runPath) }

  /// The work that is here, and which migration it belongs to.
  func holding() -> Holding {
    guard holdsRun else {
      let hasWork = files.names(in: directory).contains {
        $0.hasPrefix("step-") || $0.hasPrefix("source")
      }
      return hasWork ? .unknown("nothing says which migration it belonged to") : .nothing
    }
    guard let bytes = files.contents(runPath) else {
      return .unknown("what says which migration it belonged to (run.json) cannot be read")
    }
    do {
      return .work(try JSONDecoder().decode(Identity.self, from: Data(bytes)))
    } catch {
      return .unknown(
        "what says which migration it belonged to (run.json) is damaged, or of another version of "
          + "Passage")
    }
  }

  func write(_ identity: Identity) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try files.write(Array(encoder.encode(identity)), to: runPath)
  }

  /// Throws everything but the lock away.
  func clear() throws {
    for name in files.names(in: directory) where name != "lock" {
      let path = directory + "/" + name
      if files.isDirectory(path) {
        try files.removeDirectory(path)
      } else {
        try files.remove(path)
      }
    }
  }

  /// Throws all work of a step away, its sealed store too.
  func clearStep(_ step: Int) throws {
    let directory = stepDirectory(step)
    if files.isDirectory(directory) { try files.removeDirectory(directory) }
  }

  /// Throws the unsealed work of a step away.
  func clearPasses(ofStep step: Int) throws {
    let directory = stepDirectory(step)
    for name in files.names(in: directory) where name.hasPrefix("pass-") {
      try files.remove(directory + "/" + name)
    }
  }

  /// Throws one pass's store away.
  func clearPass(step: Int, pass: Int) throws {
    let path = passPath(step: step, pass: pass)
    for path in [path, path + "-journal", path + "-wal", path + "-shm"] { try files.remove(path) }
  }

  /// What was set aside in a step, a line each.
  func quarantine(ofStep step: Int) -> [String] {
    guard let bytes = files.contents(quarantinePath(step: step), limit: 1 << 30) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func quarantinePath(step: Int) -> String {
    "\(stepDirectory(step))/quarantine.jsonl"
  }

  /// Keeps what was set aside in a step. Most steps set nothing aside: then no file is made, which
  /// would have to be synced.
  func write(quarantine lines: [String], step: Int) throws {
    if lines.isEmpty { return try files.remove(quarantinePath(step: step)) }
    try files.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: quarantinePath(step: step))
  }

  func accounts(ofStep step: Int) -> [MappingAccount]? {
    files.contents(accountPath(step: step)).flatMap {
      try? JSONDecoder().decode([MappingAccount].self, from: Data($0))
    }
  }

  func write(_ accounts: [MappingAccount], step: Int) throws {
    try files.write(Array(JSONEncoder().encode(accounts)), to: accountPath(step: step))
  }
}
