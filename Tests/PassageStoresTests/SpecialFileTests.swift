import Foundation
import PassageFiles
import PassageSQLite
import PassageStores
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

/// What may be in the places of a store's files, and what reading leaves there.
struct SpecialFileTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func store(_ journalMode: StoreBuilder.JournalMode = .delete) throws -> String {
    let path = folder.path("events.sqlite")
    try StoreCreator.create(model: Fixtures.events, at: path, journalMode: journalMode)
    return path
  }

  private func kind(_ body: () throws -> Void) -> StoreError.Kind? {
    do {
      try body()
      return nil
    } catch {
      return (error as? StoreError)?.kind
    }
  }

  @Test(arguments: ["-wal", "-shm", "-journal"], [true, false])
  func `a pipe or a folder in a sidecar's place is refused, and not waited for`(
    suffix: String, isPipe: Bool
  ) throws {
    let path = try store(suffix == "-journal" ? .delete : .wal)
    #expect((isPipe ? mkfifo(path + suffix, 0o600) : mkdir(path + suffix, 0o700)) == 0)
    #expect(kind { _ = try StoreFile.open(path: path) } == .sidecarNotAFile)
    #expect(kind { _ = try StoreMetadata.read(path: path) } == .sidecarNotAFile)
    #expect(kind { _ = try StoreFingerprint(path: path) } == .sidecarNotAFile)
  }

  /// A store in WAL mode with transactions in its log, copied while it was open.
  private func storeWithLog() throws -> String {
    let path = try store(.wal)
    let writer = try Connection(path: path, mode: .readWrite)
    try writer.execute("INSERT INTO ZEVENT VALUES (1, 1, 1, 5.5)")
    _ = try folder.copy(path + "-wal", to: "copy.sqlite-wal")
    return try folder.copy(path, to: "copy.sqlite")
  }

  /// SQLite opens no link there, and says no more than that it cannot open the database.
  @Test(arguments: ["-wal", "-shm"], [true, false])
  func `a link in the place of a log or its index is told`(suffix: String, isDangling: Bool) throws
  {
    let path = try storeWithLog()
    if suffix == "-wal" {
      try FileManager.default.moveItem(atPath: path + suffix, toPath: folder.path("other"))
    } else {
      try folder.write([], to: "other")
    }
    if isDangling { try FileManager.default.removeItem(atPath: folder.path("other")) }
    #expect(symlink(folder.path("other"), path + suffix) == 0)
    let error = try #require(throws: StoreError.self) { try StoreFile.open(path: path) }
    #expect(error.kind == .sidecarNotAFile)
    #expect(error.detail?.contains("copy.sqlite\(suffix) is a symbolic link") == true)
  }

  /// No remedy tells to roll it back where it is: SQLite would not open it.
  @Test func `a link in the place of a journal is told`() throws {
    let path = try store()
    let writer = try Connection(path: path, mode: .readWrite)
    try writer.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO ZEVENT SELECT i, 1, 1, i + 0.5 FROM n
      """)
    try writer.execute("PRAGMA cache_size = 2; BEGIN; UPDATE ZEVENT SET ZTIMESTAMP = 0")
    let copy = try folder.copy(path, to: "copy.sqlite")
    let journal = try folder.copy(path + "-journal", to: "other")
    try writer.execute("ROLLBACK")
    #expect(symlink(journal, copy + "-journal") == 0)
    let error = try #require(throws: StoreError.self) { try StoreFile.open(path: copy) }
    #expect(error.kind == .sidecarNotAFile)
    #expect(error.remedy?.contains("put the file to which it leads") == true)
  }

  /// Its checksums are right, so that SQLite does not take it for the rest of an older log.
  @Test func `a log of an unknown version is damage`() throws {
    let path = try storeWithLog()
    var log = try bytes(of: path + "-wal")
    log[7] ^= 1
    // https://www.sqlite.org/fileformat2.html#checksum_algorithm
    func number(_ offset: Int) -> UInt32 {
      let bytes = log[offset..<(offset + 4)]
      return (log[3] & 1 == 1 ? Array(bytes) : bytes.reversed())
        .reduce(0) { $0 << 8 | UInt32($1) }
    }
    var (first, second): (UInt32, UInt32) = (0, 0)
    for offset in stride(from: 0, to: 24, by: 8) {
      first = first &+ number(offset) &+ second
      second = second &+ number(offset + 4) &+ first
    }
    for (index, sum) in [first, second].enumerated() {
      for byte in 0..<4 {
        log[24 + index * 4 + byte] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * byte))
      }
    }
    try folder.write(log, to: "copy.sqlite-wal")
    let ways: [() throws -> Void] = [
      { _ = try StoreFile.open(path: path) }, { _ = try StoreFile.connect(path) },
    ]
    for open in ways {
      let error = try #require(throws: StoreError.self) { try open() }
      #expect(error.kind == .damaged)
      #expect(error.detail?.contains("has the format 3007001") == true)
    }
    #expect(folder.contents("copy.sqlite-wal") == log)
  }

  @Test func `a pipe is not read`() throws {
    let path = folder.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: FileSystem.Failure.self) { try FileSystem.prefix(path, count: 16) }
    #expect(kind { _ = try StoreFile.open(path: path) } == .notAFile)
  }

  @Test func `a name that leaves no room for a journal's is refused`() throws {
    let long = String(repeating: "n", count: 248)
    #expect(
      kind { try StoreCreator.create(model: Fixtures.events, at: folder.path(long)) }
        == .nameTooLong)
    #expect(folder.names == [])
    let fitting = String(repeating: "n", count: 247)
    try StoreCreator.create(model: Fixtures.events, at: folder.path(fitting))
    #expect(folder.names == [fitting])
  }

  @Test func `a path that SQLite does not open is refused`() throws {
    var deep = folder.path
    for _ in 0..<5 {
      deep += "/" + String(repeating: "d", count: 100)
      #expect(mkdir(deep, 0o700) == 0)
    }
    #expect(
      kind { try StoreCreator.create(model: Fixtures.events, at: deep + "/store.sqlite") }
        == .nameTooLong)
  }

  @Test func `reading a log that has no index leaves none and changes nothing`() throws {
    let path = try store(.wal)
    let copy = folder.path("copy.sqlite")
    do {
      let writer = try Connection(path: path, mode: .readWrite)
      try writer.execute("INSERT INTO ZEVENT VALUES (1, 1, 1, 5.5)")
      _ = try folder.copy(path, to: "copy.sqlite")
      _ = try folder.copy(path + "-wal", to: "copy.sqlite-wal")
    }
    let before = try (bytes(of: copy), bytes(of: copy + "-wal"), StoreFingerprint(path: copy))
    do {
      let store = try StoreFile.open(path: copy)
      #expect(try store.connection.integer("SELECT count(*) FROM ZEVENT") == 1)
    }
    #expect(folder.names.filter { $0.hasPrefix("copy") } == ["copy.sqlite", "copy.sqlite-wal"])
    #expect(try bytes(of: copy) == before.0)
    #expect(try bytes(of: copy + "-wal") == before.1)
    #expect(try StoreFingerprint(path: copy) == before.2)
  }

  @Test func `a visit removes what a killed one left, but nothing that is in use`() throws {
    let path = try store(.wal)
    // As a reader that was killed leaves them.
    _ = try folder.write([], to: "events.sqlite-wal")
    _ = try folder.write([UInt8](repeating: 0, count: 32_768), to: "events.sqlite-shm")
    StoreVisit(path: path).end()
    #expect(folder.names.count == 3)
    do {
      let other = try Connection(path: path, mode: .readWrite)
      _ = try other.integer("SELECT count(*) FROM ZEVENT")
      StoreVisit(path: path, takesLeftovers: true).end()
      #expect(folder.names.count == 3)
    }
    _ = try folder.write([], to: "events.sqlite-wal")
    _ = try folder.write([UInt8](repeating: 0, count: 32_768), to: "events.sqlite-shm")
    StoreVisit(path: path, takesLeftovers: true).end()
    #expect(folder.names == ["events.sqlite"])
  }

  #if os(Linux)
    @Test func `an idle connection is seen to have a file open`() throws {
      let path = try store()
      let control = try folder.write([0], to: "control")
      guard FileSystem.isOpenElsewhere(path, control: control) == false else { return }
      do {
        let idle = try Connection(path: path, mode: .readWrite)
        _ = try idle.value("PRAGMA journal_mode = MEMORY")
        _ = try idle.integer("SELECT count(*) FROM ZEVENT")
        #expect(FileSystem.isOpenElsewhere(path, control: control) == true)
      }
      #expect(FileSystem.isOpenElsewhere(path, control: control) == false)
    }
  #endif
}

/// What of a store a destination would touch.
struct StoreOverlapTests {
  let folder: TemporaryDirectory
  let store: StoreUnit

  init() throws {
    folder = try TemporaryDirectory()
    store = StoreUnit(path: folder.path("a/store.sqlite"))
    for name in ["a", "b", "a/.store_SUPPORT", "a/.store_SUPPORT/_EXTERNAL_DATA"] {
      #expect(mkdir(folder.path(name), 0o700) == 0)
    }
    _ = try folder.write([1], to: "a/store.sqlite")
    #expect(symlink(folder.path("a"), folder.path("link")) == 0)
  }

  private func part(_ destination: String) throws -> StoreOverlap.Part? {
    try StoreOverlap(
      writing: StoreUnit(path: folder.path(destination)), reading: store, files: FileSystem())?.part
  }

  @Test(arguments: ["a", "link", "b/../a", "./a/.", "link/../a"])
  func `what belongs to the store is found by whatever path`(place: String) throws {
    #expect(try part("\(place)/store.sqlite") == .store)
    #expect(try part("\(place)/store.sqlite-wal") == .log)
    #expect(try part("\(place)/store.sqlite-shm") == .index)
    #expect(try part("\(place)/store.sqlite-journal") == .journal)
    #expect(try part("\(place)/.store_SUPPORT") == .externalData)
    #expect(try part("\(place)/.store_SUPPORT/_EXTERNAL_DATA/new.sqlite") == .externalData)
    #expect(try part("\(place)/store.sqlite.passage") == .work)
    #expect(try part("\(place)/store.sqlite.passage/lock") == .work)
  }

  @Test func `a destination whose own files would be the store's is found`() throws {
    // Its log is removed when the destination is put in place.
    let log = StoreUnit(path: try folder.write([1], to: "b/new.sqlite-wal"))
    let files = FileSystem()
    let beside = StoreUnit(path: folder.path("b/new.sqlite"))
    #expect(try StoreOverlap(writing: beside, reading: log, files: files)?.part == .store)
    #expect(mkdir(folder.path("b/new.sqlite.passage"), 0o700) == 0)
    let inside = StoreUnit(path: try folder.write([1], to: "b/new.sqlite.passage/old.sqlite"))
    #expect(try StoreOverlap(writing: beside, reading: inside, files: files)?.part == .store)
  }

  @Test(arguments: ["/", "x/", "../"])
  func `a path that is longer than any leads nowhere, which is found at once`(part: String) {
    let path = "/" + String(repeating: part, count: 400_000)
    let seconds = HangGuard.seconds { #expect(FileSystem().canonical(path) == path) }
    #expect(seconds < HangGuard.bound)
    #expect(FileSystem().canonical(folder.path("none") + "///").hasSuffix("/none"))
  }

  @Test func `a file of another name is not part of the store`() throws {
    for name in ["a/new.sqlite", "b/store.sqlite", "b/store.sqlite-wal", "a/store.sqlite-wal2"] {
      #expect(try part(name) == nil, "\(name)")
    }
  }

  /// Where the file system tells the two names apart, there are two stores.
  @Test(arguments: [true, false])
  func `names that differ only in how an accent is written are two`(exists: Bool) throws {
    let folder = try TemporaryDirectory()
    let one = try folder.write([1], to: "\u{e9}.sqlite")
    let other = folder.path("e\u{301}.sqlite")
    guard try FileSystem().identity(other) == nil else { return }
    if exists { _ = try folder.write([2], to: "e\u{301}.sqlite") }
    for (written, read) in [(one, other), (other, one)] {
      let overlap = try StoreOverlap(
        writing: StoreUnit(path: written), reading: StoreUnit(path: read), files: FileSystem())
      #expect(overlap == nil)
    }
  }
}
