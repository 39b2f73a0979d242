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

struct PackCommandTests {
  @Test
  func `the report says what was packed`() throws {
    let project = try ExampleProject()
    let before = try project.sampleBytes()
    let outcome = try project.migrate(
      "pack", ExampleProject.sample, "--output", "Packed.sqlite", "--journal", "wal", "--format",
      "json")
    #expect(outcome.status == 0)
    let json = try outcome.json
    #expect(json["outcome"]?.text == "packed")
    #expect(json["journal"]?.text == "wal")
    #expect(json["objects"]?["Event"]?.number == 2_000)
    #expect(json["bytes"]?.number == (try bytes(of: project.path("Packed.sqlite")).count))
    #expect(json["externalData"]?.memberNames == [])
    let again = try project.migrate(
      "pack", ExampleProject.sample, "--output", "Packed.sqlite", "--journal", "wal")
    #expect(again.status == 0)
    #expect(again.output.hasPrefix("Unchanged"))
    let other = try project.migrate("pack", ExampleProject.sample, "--output", "Packed.sqlite")
    #expect(other.status == 64)
    #expect(other.errors.contains("RUN-002"))
    #expect(try project.sampleBytes() == before)
  }

  @Test(arguments: [
    (["Missing.sqlite", "--output", "A.sqlite"], Int32(64), "STO-101"),
    (["text", "--output", "A.sqlite"], 65, "STO-106"),
    ([ExampleProject.sample, "--output", "none/A.sqlite"], 64, "RUN-003"),
    ([ExampleProject.sample, "--output", "Migrations"], 64, "RUN-002"),
    ([ExampleProject.sample, "--output", ExampleProject.sample], 64, "RUN-001"),
    ([ExampleProject.sample, "--output", "A.sqlite", "--model", "none.json"], 64, "MOD-100"),
    (
      [ExampleProject.sample, "--output", "A.sqlite", "--model", "Migrations/Events 2.json"], 64,
      "CMD-110"
    ),
    ([ExampleProject.sample, "--output", "A.sqlite", "--journal", "memory"], 64, "memory"),
  ])
  func `a wrong call says what is wrong`(_ arguments: [String], _ status: Int32, _ code: String)
    throws
  {
    let project = try ExampleProject()
    try project.folder.write("a text", to: "text")
    let before = project.names()
    let outcome = try MigrateProcess.run(["pack"] + arguments, in: project.folder.path)
    #expect(outcome.status == status)
    #expect(outcome.errors.contains(code))
    #expect(project.names() == before)
  }

  /// The log is many times as large as what is folded into it at once.
  @Test
  func `a log that grew large is packed`() throws {
    let project = try ExampleProject()
    let path = project.path(ExampleProject.sample)
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF")
    try connection.execute(
      """
      WITH RECURSIVE keys(n) AS (SELECT 10000 UNION ALL SELECT n + 1 FROM keys WHERE n < 410000)
      INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) SELECT n, 1, 1, n * 0.37 FROM keys
      """)
    for _ in 1...3 { try connection.execute("UPDATE ZEVENT SET Z_OPT = Z_OPT + 1") }
    let log = try #require(
      try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int)
    #expect(log > 30 << 20)
    let outcome = try project.migrate(
      "pack", ExampleProject.sample, "--output", "Packed.sqlite", "--format", "json")
    #expect(outcome.status == 0)
    #expect(try outcome.json["objects"]?["Event"]?.number == 402_001)
    #expect(try outcome.json["sourceLogBytes"]?.number == log)
    withExtendedLifetime(connection) {}
  }

  // MARK: A folder that cannot be written

  /// A user without rights, where this process may become one and that one may run the program.
  static let otherUser: [String]? = {
    guard geteuid() == 0 else { return [] }
    let command = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    guard FileManager.default.isExecutableFile(atPath: command[0]),
      let program = try? MigrateProcess.executable.path
    else { return nil }
    let outcome = try? ChildProgram.run(command[0], command.dropFirst() + [program, "--version"])
    return outcome?.status == 0 ? command : nil
  }()

  @Test(.enabled(if: otherUser != nil), arguments: ["pack", "install"], [false, true])
  func `packing needs no writable folder`(_ command: String, hasIndex: Bool) throws {
    let folder = try TemporaryDirectory()
    for name in ["bundle", "app"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: false)
    }
    let store = try TestStore(
      model: SampleStore.eventsModel, at: folder.path("bundle/Default.sqlite"))
    for _ in 1...50 { try store.insert("Event", ["timeStamp": 5]) }
    try store.close(isLogKept: true)
    if hasIndex {
      // Left by a program that was killed.
      try folder.write(Array(repeating: 0, count: 32_768), to: "bundle/Default.sqlite-shm")
    }
    #expect(try bytes(of: folder.path("bundle/Default.sqlite-wal")).count > 1_000)
    for (name, mode) in [("bundle", 0o555), ("app", 0o777)] {
      for path in [name] + folder.everything.filter({ $0.hasPrefix("\(name)/") }) {
        let isFolder = path == name
        try FileManager.default.setAttributes(
          [.posixPermissions: isFolder ? mode : 0o444], ofItemAtPath: folder.path(path))
      }
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    defer {
      try? FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: folder.path("bundle"))
    }
    let before = try folder.everything.filter { $0.hasPrefix("bundle/") }
      .map { try bytes(of: folder.path($0)) }
    let arguments =
      command == "pack"
      ? ["pack", "bundle/Default.sqlite", "--output", "app/Store.sqlite"]
      : ["install", "--from", "bundle/Default.sqlite", "--to", "app/Store.sqlite"]
    let user = try #require(Self.otherUser)
    let line = try user + [MigrateProcess.executable.path] + arguments
    let outcome = try ChildProgram.run(line[0], Array(line.dropFirst()), in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let contents = try StoreContents(
      path: folder.path("app/Store.sqlite"), model: SampleStore.eventsModel)
    #expect(contents["Event"].count == 50)
    #expect(
      try folder.everything.filter { $0.hasPrefix("bundle/") }
        .map { try bytes(of: folder.path($0)) } == before)
    #expect(folder.everything.filter { $0.hasPrefix("app/") } == ["app/Store.sqlite"])
  }
}
