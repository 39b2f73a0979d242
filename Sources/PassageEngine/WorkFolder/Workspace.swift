internal import PassageDiagnostics
package import PassageFiles
internal import PassagePlatform
package import PassageStores

/// The folder beside the destination in which a migration works: `<destination>.passage/`.
///
/// ```
/// passage-work          says that Passage made the folder: see `WorkFolder`
/// lock                  held while a runner lives; after work in memory, also the two marks
/// source.sqlite         a source of another type in Core Data's layout
/// run.json              which migration this is, and on which run of the machine
/// step-1/pass-1.sqlite  one store for each pass
/// step-1/journal.sqlite how far the passes have come
/// step-1/store.sqlite   the step's store, sealed and synced
/// step-1/account.json   what became of every object of the step
/// step-1/warnings.json  what the step has warned of, if it has
/// output                the finished store in another type
/// ….quarantine.jsonl    beside the finished store: what was quarantined
/// cut-over              while a cut-over in place is under way
/// kept                  the old store while it is copied to be kept
/// finished.sqlite       the finished store of a migration whose work is in memory
/// ```
///
/// Every name is listed in `WorkNames`.
package struct Workspace {
  package let directory: String
  private let files: FileSystem
  /// The databases of the migration, if they are kept in memory.
  var memory: WorkMemory?
  /// The lock of the folder, if this run holds it.
  var lock: FileLock?

  /// - Parameter files: relative to the work folder, unless the folder has not been examined yet.
  package init(destination: String, files: FileSystem) {
    directory = Self.directory(ofDestination: destination)
    self.files = files
  }

  static func directory(ofDestination path: String) -> String { path + ".passage" }

  package var lockPath: String { "\(directory)/\(WorkNames.lock)" }
  /// The mark that exists during a cut-over in place.
  private var cutOverMarkPath: String { "\(directory)/\(WorkNames.cutOver)" }
  /// The copy of the old store that is to be kept, on a file system without links.
  var keptPath: String { directory + "/kept" }
  private var runPath: String { directory + "/run.json" }

  /// A source of another type in Core Data's layout.
  var stagedPath: String { directory + "/source.sqlite" }
  /// The staged store while it is being written.
  var stagingPath: String { directory + "/source-staging.sqlite" }
  /// The finished store in another type.
  var outputPath: String { directory + "/output" }

  /// The paths where a finished store can be before it is put in place. It is moved away from there
  /// by the cut-over.
  var finishedPaths: [String] {
    get throws {
      try [outputPath, finishedPath]
        + files.names(in: directory).filter { $0.hasPrefix("step-") }
        .map { "\(directory)/\($0)/\(Self.sealedName)" }
    }
  }

  /// The finished store of a migration whose work is in memory.
  private var finishedPath: String { "\(directory)/\(WorkNames.finished)" }

  private static let sealedName = "store.sqlite"
  private static let journalName = WorkNames.journal

  func stepDirectory(_ step: Int) -> String { "\(directory)/step-\(step + 1)" }
  func passPath(step: Int, pass: Int) -> String {
    memory?.path("step-\(step + 1)/pass-\(pass + 1)")
      ?? "\(stepDirectory(step))/pass-\(pass + 1).sqlite"
  }
  /// The path of a step's journal.
  func journalPath(step: Int) -> String {
    memory?.path("step-\(step + 1)/journal") ?? "\(stepDirectory(step))/\(Self.journalName)"
  }
  /// The path of the store of a step, sealed; in memory, of the last one.
  func sealedPath(step: Int) -> String {
    memory != nil ? finishedPath : "\(stepDirectory(step))/\(Self.sealedName)"
  }
  /// The path of the store of a step that is made in memory in one go.
  func storePath(step: Int, in memory: WorkMemory) -> String {
    memory.path("step-\(step + 1)/store")
  }
  func accountPath(step: Int) -> String { "\(stepDirectory(step))/account.json" }

  /// Identifies a migration whose work can be continued.
  struct Identity: Codable, Hashable {
    /// The source's fingerprint; if the source has changed, the work is useless.
    var source: String
    /// A digest of the models, mapping models and options that decide the result.
    var plan: String
    /// The identities of the program's code that takes part, by step, pass and name.
    var code: [[[String: String]]]
    /// The boot of the machine on which unsynced work was written; `nil` when it cannot be
    /// determined.
    var boot: String?
    /// A digest of the folder's path. An interrupted transaction refers to files by path, so its
    /// files must not be trusted at another path.
    var place: String
    /// The value of `now()` for the whole migration.
    var now: Double
    /// Whether all of the work was done where objects may be quarantined: then it was asked of each. `nil`
    /// in work of an older version.
    var asksWhatToQuarantine: Bool?
  }

  /// The work in the folder.
  enum Holding {
    case nothing
    case work(Identity)
    /// Work that cannot be attributed to a migration, and the reason.
    case unknown(String)
  }

  /// Whether the folder contains the work of a migration, readable or not. Other runners do not
  /// touch it.
  package var holdsRun: Bool { get throws { try files.exists(runPath) } }

  /// Whether there is no work in the folder.
  var holdsNothing: Bool {
    get throws { if case .nothing = try holding() { true } else { false } }
  }

  /// The work in the folder, and the migration to which it belongs.
  ///
  /// - Throws: `FileSystem.Failure` when this cannot be determined.
  func holding() throws -> Holding {
    let record: [UInt8]?
    do {
      record = try files.record(runPath)
    } catch let failure as FileSystem.Failure where failure.isTooLarge {
      return .unknown(Self.damagedRun)
    }
    guard let bytes = record else {
      let hasWork = try files.names(in: directory).contains {
        $0.hasPrefix("step-") || $0.hasPrefix("source")
      }
      return hasWork ? .unknown("it is not known which migration it belonged to") : .nothing
    }
    do {
      return .work(try JSONDecoder().decode(Identity.self, from: Data(bytes)))
    } catch {
      return .unknown(Self.damagedRun)
    }
  }

  private static let damagedRun =
    "the file that says which migration it belonged to (run.json) is damaged, or was written by "
    + "another version of Passage"

  /// The migration whose work is in the folder; `nil` when there is none, or when this version
  /// cannot read it.
  ///
  /// - Throws: `FileSystem.Failure` when this cannot be determined.
  func identity() throws -> Identity? {
    guard case .work(let identity) = try holding() else { return nil }
    return identity
  }

  /// Records which migration the work belongs to.
  ///
  /// After a power failure only the sealed stores of steps before the last are trusted. Such a
  /// store must never be found beside the record of another migration: neither a new one beside an
  /// old record, which ``makeRunDurable()`` prevents, nor an old one beside a new record. A record
  /// that a power failure tore counts as none.
  ///
  /// - Parameter isReplacing: whether the folder had work of another migration, whose removal must
  ///   be durable together with the record.
  func write(_ identity: Identity, isReplacing: Bool) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let bytes = try Array(encoder.encode(identity))
    if isReplacing {
      try files.writeDurably(bytes, to: runPath)
    } else {
      try files.writeUnsynced(bytes, to: runPath)
    }
  }

  /// Makes the record of the migration durable. Called before a step's store is trusted after a
  /// power failure.
  func makeRunDurable() throws {
    try files.synchronize(runPath)
    try files.synchronizeDirectory(directory)
  }

  /// The size of what an earlier run has left in the work folder of a destination, in bytes: the next one
  /// continues it or removes it. 0 if there is no folder, or if it is not Passage's.
  package static func leftBytes(ofDestination path: String, files: FileSystem) -> Int64 {
    let folder = Self.directory(ofDestination: path)
    guard let inside = WorkFolder.look(folder, files: files) else { return 0 }
    return byteCount(of: folder, inside)
  }

  /// The size of what Passage has put into a folder, in bytes. What cannot be seen counts as nothing.
  private static func byteCount(
    of folder: String, _ files: FileSystem, level: WorkNames.Level = .work, depth: Int = 0
  ) -> Int64 {
    let names = (try? files.entries(of: folder)) ?? []
    return names.reduce(0) { sum, name in
      let path = "\(folder)/\(name)"
      guard let meaning = WorkNames.meaning(of: name, in: level), let entry = files.entry(path)
      else { return sum }
      switch (entry.kind, meaning) {
      case (.file, _): return sum.saturatingAdd(entry.bytes)
      case (.directory, .folder(let inner)) where depth < WorkNames.maximumDepth:
        return sum.saturatingAdd(byteCount(of: path, files, level: inner, depth: depth + 1))
      default: return sum
      }
    }
  }

  /// Whether a file of a step into which a run would write has another name, too, such as that of a store.
  func hasSharedFiles() throws -> Bool {
    try files.names(in: directory).contains { name in
      guard case .folder(.step)? = WorkNames.meaning(of: name, in: .work) else { return false }
      return try files.names(in: "\(directory)/\(name)").contains { file in
        WorkNames.isWrittenInto(file, in: .step)
          && (files.entry("\(directory)/\(name)/\(file)")?.links ?? 0) > 1
      }
    }
  }

  // MARK: The cut-over

  /// The mark of a cut-over that is or was under way; `nil` when there is none, or when it is
  /// unreadable.
  ///
  /// - Throws: `FileSystem.Failure` when the file cannot be read.
  package func cutOverMark() throws -> CutOverMark? {
    // A larger file is none of these marks.
    func mark(_ path: String) throws -> [UInt8]? {
      do {
        return try files.record(path, limit: 1 << 16)
      } catch let failure as FileSystem.Failure where failure.isTooLarge {
        return nil
      }
    }
    let bytes =
      try mark(cutOverMarkPath) ?? mark(lockPath).flatMap(WorkFolderProof.mark(inLock:))
    return bytes.flatMap { try? JSONDecoder().decode(CutOverMark.self, from: Data($0)) }
  }

  /// The mark that an interrupted cut-over has left in the work folder of a store; `nil` when there
  /// is none, or when the folder is not Passage's.
  package static func markLeft(of store: StoreUnit, files: FileSystem) throws -> CutOverMark? {
    try WorkFolder.look(directory(ofDestination: store.path), files: files).flatMap {
      try Workspace(destination: store.path, files: $0).cutOverMark()
    }
  }

  /// Marks the cut-over durably, including the name of the work folder.
  func write(_ mark: CutOverMark) throws {
    try files.writeDurably(Self.bytes(of: mark), to: cutOverMarkPath)
    try files.synchronizeDirectory(StoreUnit(path: directory).folder)
  }

  private static func bytes(of mark: CutOverMark) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return try Array(encoder.encode(mark))
  }

  /// Marks the folder and the cut-over in the lock of a folder of which nothing is durable yet.
  func writeUnsynced(_ mark: CutOverMark) throws {
    let marks = try WorkFolderProof.lockContents(
      Self.bytes(of: mark), count: lock?.zeroCount ?? 0)
    // Some file systems write a file to the disk at once that was emptied to be written anew.
    if let lock, lock.byteCount == 0 {
      try files.overwrite(marks, in: lock, at: 0)
    } else {
      try marks.withUnsafeBytes { try files.rewriteUnsynced($0, to: lockPath) }
    }
  }

  /// Makes the mark in the lock, the finished store, the work folder and the names in the folder around
  /// it durable together. Until then the cut-over has not begun, so that a power failure may leave any
  /// part of them: a torn mark counts as none.
  func synchronizeMark(togetherWith finished: String) throws {
    try files.synchronize(
      together: [finished, lockPath], folders: [directory, StoreUnit(path: directory).folder])
  }

  /// Whether a kept store was left by an interrupted cut-over of a store: a second name of its file,
  /// or the copy of it that the mark names. Removing it then loses nothing.
  package func isLeftByCutOver(_ backup: String, of store: StoreUnit) throws -> Bool {
    if let identity = try files.identity(backup), try identity == files.identity(store.path) {
      return true
    }
    guard let mark = try cutOverMark(),
      mark.backup == CutOverMark.name(ofBackup: backup, of: store),
      mark.isOfOldStore(at: store.path),
      try store.sidecarPaths.allSatisfy({ try files.byteCount($0) == 0 })
    else { return false }
    return try FileSystem.haveEqualContents(backup, store.path)
  }

  // MARK: Databases

  /// Creates the file of a database for a pass or a journal. An existing one is left as it is.
  ///
  /// - Parameter image: what a database in memory begins with; SQLite fills a file itself.
  func makeDatabase(_ path: String, _ image: @autoclosure () throws -> [UInt8]) throws {
    if let memory { try memory.make(path, image()) } else { try files.makeFile(path) }
  }

  /// The size of a pass store or a journal in bytes; 0 if it does not exist.
  func databaseBytes(_ path: String) throws -> Int64 {
    if let memory { try memory.byteCount(path) } else { try files.byteCount(path) }
  }

  /// Discards all work of a step, including its sealed store. What Passage did not create stays.
  func clearStep(_ step: Int) throws {
    let directory = stepDirectory(step)
    guard files.isDirectory(directory) else { return }
    try WorkFolder.remove(directory, .folder(.step), files: files)
  }

  /// Discards the unsealed work of a step. The journal goes first, because the rest is ignored
  /// without it.
  func clearPasses(ofStep step: Int) throws {
    let directory = stepDirectory(step)
    let names = try files.names(in: directory)
    for name in names.filter({ $0.hasPrefix(Self.journalName) }).sorted() {
      try files.remove(directory + "/" + name)
    }
    for name in names where name.hasPrefix("pass-") { try files.remove(directory + "/" + name) }
  }

  /// Discards the store of one pass.
  func clearPass(step: Int, pass: Int) throws {
    let directory = stepDirectory(step)
    let store = passPath(step: step, pass: pass)
    for name in try files.names(in: directory) {
      let path = directory + "/" + name
      if path == store || path.hasPrefix(store + "-") { try files.remove(path) }
    }
  }

  /// The file of the objects quarantined in a step, one line each; it does not exist when there are
  /// none.
  func quarantinePath(step: Int) -> String {
    "\(stepDirectory(step))/quarantine.jsonl"
  }

  private func warningsPath(step: Int) -> String { "\(stepDirectory(step))/warnings.json" }

  /// The record of a step; `nil` when the step has not been checked yet.
  ///
  /// - Parameter mappingCount: the number of entity mappings of the step, which bounds what is read.
  /// - Throws: `RUN-063` when the file exists and cannot be read.
  func stepRecord(ofStep step: Int, mappingCount: Int) throws -> StepRecord? {
    let path = accountPath(step: step)
    let found = try record(StepRecord.self, at: path, mappingCount: mappingCount)
    guard found?.accounts.allSatisfy(\.isPossible) ?? true else {
      throw MigrationError.unreadableRecord(path)
    }
    return found
  }

  /// What a step that is sealed has warned of.
  ///
  /// - Throws: `RUN-063` when the file exists and cannot be read.
  func warnings(ofStep step: Int, mappingCount: Int) throws -> Diagnostics {
    Diagnostics(
      try record([Diagnostic].self, at: warningsPath(step: step), mappingCount: mappingCount) ?? [])
  }

  /// Keeps what a step warns of for a run that continues after it. Where it warns of nothing, there is no file.
  ///
  /// - Parameter isLast: whether it is the last step, which is not trusted after a power failure.
  func write(_ warnings: Diagnostics, step: Int, isLast: Bool) throws {
    if warnings.all.isEmpty { return try files.remove(warningsPath(step: step)) }
    let bytes = try Array(JSONEncoder().encode(warnings.all))
    if isLast {
      try files.writeUnsynced(bytes, to: warningsPath(step: step))
    } else {
      try files.write(bytes, to: warningsPath(step: step))
    }
  }

  /// - Returns: `nil` when there is no file.
  private func record<Record: Decodable>(
    _ type: Record.Type, at path: String, mappingCount: Int
  ) throws -> Record? {
    do {
      // Far more than a run writes for an entity mapping.
      let limit = (1 << 20) + mappingCount << 16
      return try files.record(path, limit: limit).map {
        try JSONDecoder().decode(type, from: Data($0))
      }
    } catch let failure as FileSystem.Failure where !failure.isTooLarge {
      throw failure
    } catch {
      throw MigrationError.unreadableRecord(path)
    }
  }

  /// Writes the record of a step.
  ///
  /// - Parameter isLast: whether it is the last step, which is not trusted after a power failure.
  func write(_ record: StepRecord, step: Int, isLast: Bool) throws {
    let bytes = try Array(JSONEncoder().encode(record))
    if isLast {
      try files.writeUnsynced(bytes, to: accountPath(step: step))
    } else {
      try files.write(bytes, to: accountPath(step: step))
    }
  }
}
