import Foundation
import Passage
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The example with everything beside it that a call can fail on.
struct FailureProject {
  let project: ExampleProject

  init() throws {
    project = try ExampleProject()
    for name in ["Broken", "Bare"] {
      try FileManager.default.createDirectory(
        atPath: project.path(name), withIntermediateDirectories: true)
    }
    for (name, bytes) in try Self.files.get() { try project.folder.write(bytes, to: name) }
  }

  /// What each call finds beside the example, by path: made once for more than a hundred calls.
  private static let files = Result {
    let folder = try make().folder
    return Dictionary(
      uniqueKeysWithValues: folder.everything.compactMap { name in
        folder.contents(name).map { (name, $0) }
      })
  }

  private static func make() throws -> ExampleProject {
    let project = try ExampleProject()
    let folder = project.folder
    for name in ["Broken", "Bare"] {
      try FileManager.default.createDirectory(
        atPath: project.path(name), withIntermediateDirectories: true)
    }
    try folder.write("{ oops", to: "Broken/history.json")
    try folder.write("{ \"entities\": [ oops", to: "Broken/a.json")
    try folder.write(
      """
      { "name": "r", "entities": [
        { "name": "Event", "attributes": [
          { "name": "other", "type": "date", "optional": false } ] } ] }
      """, to: "Broken/required.json")
    // Both versions, and no step between them.
    for name in ["Events 1.json", "Events 2.json"] {
      try folder.copy(project.path("Migrations/\(name)"), to: "Bare/\(name)")
    }
    try folder.write(
      """
      { "versions": [ { "name": "1", "model": "Events 1.json" },
                      { "name": "2", "model": "Events 2.json" } ],
        "steps": [ { "from": "2", "to": "1", "mappings": ["Never"] } ] }
      """, to: "Bare/history.json")
    let sample = project.path(ExampleProject.sample)
    for name in ["Sample", "Wrong", "Locked", "Huge", "Odd"] {
      try folder.copy(sample, to: "\(name).sqlite")
    }
    try folder.write("a text", to: "Text.sqlite")
    try folder.write("", to: "Empty.sqlite")
    try folder.write(Array(try project.sampleBytes().prefix(9_000)), to: "Damaged.sqlite")
    try folder.write("entity,id,timeStamp\nEvent,1,\"soon\n", to: "Wrong.csv")
    try project.change("Wrong.sqlite", "UPDATE ZEVENT SET ZTIMESTAMP = 'soon' WHERE Z_PK = 1500")
    try StoreCreator.create(
      model: Model(
        name: "x",
        entities: [Entity(name: "Event", attributes: [Attribute(name: "other", type: .date)])]),
      at: project.path("Stranger.sqlite"))
    try StoreCreator.create(
      model: ModelFile.read(path: project.path("Migrations/Events 2.json")),
      at: project.path("Second.sqlite"))
    return project
  }

  /// Runs a call in its trouble and parses standard output whole.
  func check(_ trial: FailureOutputTests.Case) throws {
    let outcome = try withTrouble(trial.trouble) { shell in
      let arguments = trial.arguments + ["--format", "json"]
      guard let shell else { return try MigrateProcess.run(arguments, in: project.folder.path) }
      return try MigrateProcess.run(arguments, in: project.folder.path, after: shell)
    }
    #expect(outcome.status == trial.status, "\(outcome.output)\(outcome.errors)")
    let object = try outcome.json
    let error = object["error"]
    let isAnswer = [("verify", 42), ("status", 20)].contains {
      $0 == (trial.arguments[0], Int(trial.status))
    }
    if isAnswer, error == nil {
      // That two stores differ, or that a store is of no known version, is what was asked.
      #expect(object["command"]?.text == trial.arguments[0])
      return
    }
    #expect(error?["exitStatus"]?.number == Int(outcome.status))
    #expect(
      error?["kind"]?.text == MigrationError.Kind(rawValue: trial.status).map { "\($0)" })
    let diagnostics = try #require(error?["diagnostics"]?.elements)
    #expect(!diagnostics.isEmpty)
    // One kind of path: from the root.
    #expect(
      diagnostics.compactMap { $0["file"]?.text }.allSatisfy {
        $0.hasPrefix("/") && !$0.contains("//") || $0.hasPrefix("--") || $0.isEmpty
      })
  }

  // MARK: Troubles

  private func withTrouble(
    _ trouble: FailureOutputTests.Trouble, _ body: (String?) throws -> MigrateProcess.Outcome
  ) throws -> MigrateProcess.Outcome {
    switch trouble {
    case .none: return try body(nil)
    case .lockedStore:
      let other = try Connection(path: project.path("Locked.sqlite"), mode: .readWrite)
      try other.execute("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE")
      defer { try? other.execute("ROLLBACK") }
      return try body(nil)
    case .otherRunner:
      let folder = project.path("new.sqlite.passage")
      #expect(mkdir(folder, 0o700) == 0)
      let file = open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      defer { close(file) }
      #expect(flock(file, LOCK_EX | LOCK_NB) == 0)
      return try body(nil)
    case .unfinishedTransaction:
      try killTransaction()
      return try body(nil)
    case .folderAsJournal:
      try FileManager.default.createDirectory(
        atPath: project.path("Odd.sqlite-journal"), withIntermediateDirectories: false)
      return try body(nil)
    case .limitedFiles: return try body("ulimit -f 8; trap '' XFSZ; exec \"$@\"")
    case .hugeStore:
      // A file with a hole counts with its whole length.
      let data = ".Huge_SUPPORT/_EXTERNAL_DATA"
      try FileManager.default.createDirectory(
        atPath: project.path(data), withIntermediateDirectories: true)
      try project.folder.write("", to: "\(data)/hole")
      #expect(truncate(project.path("\(data)/hole"), 1 << 43) == 0)
      return try body(nil)
    case .fullDisk: return try body(Self.fullDisk)
    }
  }

  /// Leaves a journal that must be rolled back, as a program does that is killed while it writes.
  func killTransaction() throws {
    let path = project.path("Killed.sqlite")
    try project.folder.copy(project.path("Sample.sqlite"), to: "Writing.sqlite")
    let writer = try Connection(path: project.path("Writing.sqlite"), mode: .readWrite)
    try writer.execute(
      """
      PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN;
      UPDATE ZEVENT SET ZTIMESTAMP = ZTIMESTAMP + 1
      """)
    for suffix in ["", "-journal"] {
      try project.folder.copy(
        project.path("Writing.sqlite\(suffix)"), to: "Killed.sqlite\(suffix)")
    }
    try writer.execute("ROLLBACK")
    #expect(FileManager.default.fileExists(atPath: path + "-journal"))
  }

  // MARK: A disk of its own

  /// Mounts a disk of a few pages in a name space of its own, with the project in it and no room left.
  private static let fullDisk = """
    exec unshare -rm sh -c '
    set -e; disk="$PWD/disk"; mkdir -p "$disk"; size=$(du -sk . | cut -f1)
    mount -t tmpfs -o size=$((size + 64))k tmpfs "$disk"
    find . -mindepth 1 -maxdepth 1 ! -name disk -exec cp -r {} "$disk/" ";"
    cd "$disk"; dd if=/dev/zero of=filler bs=4096 2>/dev/null || true
    exec "$@"' sh "$@"
    """

  /// Whether this user may mount one.
  static let canMakeDisks: Bool = {
    let line = "unshare -rm sh -c 'mount -t tmpfs -o size=64k tmpfs /mnt'"
    return (try? ChildProgram.shell(line))?.status == 0
  }()
}
