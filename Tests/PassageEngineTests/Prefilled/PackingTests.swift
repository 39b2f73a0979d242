import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageStores
import PassageTesting
import Synchronization
import TestSupport
import Testing

@Suite struct PackingTests {
  private func packed(_ bundle: PrefilledStore) -> [UInt8]? {
    bundle.directory.contents("packed/Default.sqlite")
  }

  @Test(arguments: PrefilledStore.State.allCases)
  func `the packed store is one file with its external data, and holds the same`(
    state: PrefilledStore.State
  ) throws {
    let bundle = try PrefilledStore(state)
    let report = try bundle.pack()
    #expect(report.outcome == .packed)
    #expect(report.entities.map(\.count) == [3, 40])
    #expect(report.externalFileCount == 3)
    #expect(
      bundle.contents("packed").keys.sorted()
        == (["", "/_EXTERNAL_DATA"] + PrefilledStore.files.map { "/_EXTERNAL_DATA/\($0)" })
        .map { ".Default_SUPPORT\($0)" } + ["Default.sqlite"])
    let path = bundle.directory.path("packed/Default.sqlite")
    #expect(try StoreAudit(path: path, model: PrefilledStore.source).findings == [])
    let header = try StoreFile.open(path: path).header
    #expect(!header.isWAL && header.isIncrementalVacuum && header.pageBytes == 4_096)
  }

  @Test func `the same contents give the same bytes, whatever became of them`() throws {
    let plain = try PrefilledStore()
    try plain.pack()
    try plain.pack(to: "again/Default.sqlite")
    #expect(packed(plain) == plain.directory.contents("again/Default.sqlite"))
    // The store's UUID and its metadata are contents.
    let row = try Connection(path: plain.path, mode: .readOnly).rows(
      "SELECT Z_UUID, Z_PLIST FROM Z_METADATA")
    for state in PrefilledStore.State.allCases {
      let other = try PrefilledStore(
        state == .hotJournal ? .rollbackJournal : state, isShuffled: true)
      do {
        let connection = try Connection(path: other.path, mode: .readWrite)
        try connection.execute("UPDATE Z_METADATA SET Z_UUID = ?, Z_PLIST = ?", row[0])
        let keys = try Connection(path: plain.path, mode: .readOnly).rows(
          "SELECT Z_MAX, Z_ENT FROM Z_PRIMARYKEY")
        for key in keys {
          try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", key)
        }
      }
      #expect(
        other.directory.contents("bundle/Default.sqlite")
          != plain.directory.contents("bundle/Default.sqlite"))
      try other.pack()
      #expect(packed(other) == packed(plain), "\(state)")
    }
  }

  /// As the libraries of 2010 wrote them: 0 and 1 in a byte of their own.
  @Test func `a store in an old format gives the bytes of one in the new`() throws {
    let old = try PrefilledStore(.rollbackJournal)
    do {
      let connection = try Connection(path: old.path, mode: .readWrite)
      try connection.execute("PRAGMA page_size = 2048; PRAGMA auto_vacuum = NONE")
      try connection.vacuum()
      try connection.execute("UPDATE ZPHOTO SET ZSIZE = ZSIZE")
    }
    var bytes = try #require(old.directory.contents("bundle/Default.sqlite"))
    bytes.replaceSubrange(44..<48, with: [0, 0, 0, 1])
    try old.directory.write(bytes, to: "bundle/Default.sqlite")
    do {
      let connection = try Connection(path: old.path, mode: .readWrite)
      for table in ["ZPHOTO", "ZTAG", "Z_PRIMARYKEY"] {
        try connection.execute("UPDATE \(table) SET Z_ENT = Z_ENT")
      }
    }
    try old.pack()
    _ = try StorePacking(
      storePath: old.directory.path("packed/Default.sqlite"),
      outputPath: old.directory.path("app/New.sqlite"), model: PrefilledStore.source
    ).run(control: RunControl())
    #expect(old.directory.contents("app/New.sqlite") == packed(old))
  }

  @Test func `a packed store packed again is itself`() throws {
    let bundle = try PrefilledStore(.hotLog, isShuffled: true)
    try bundle.pack()
    _ = try StorePacking(
      storePath: bundle.directory.path("packed/Default.sqlite"),
      outputPath: bundle.directory.path("app/Twice.sqlite"), model: PrefilledStore.source
    ).run(control: RunControl())
    #expect(bundle.directory.contents("app/Twice.sqlite") == packed(bundle))
  }

  @Test func `the journal mode is the one asked for, and changes nothing else`() throws {
    let bundle = try PrefilledStore()
    var options = PackingOptions()
    options.journalMode = .wal
    try bundle.pack(to: "wal/Default.sqlite", options: options)
    try bundle.pack()
    let path = bundle.directory.path("wal/Default.sqlite")
    #expect(bundle.contents("wal").keys.count { $0.hasPrefix("Default") } == 1)
    var bytes = try #require(bundle.directory.contents("wal/Default.sqlite"))
    #expect(bytes[18...19] == [2, 2])
    bytes.replaceSubrange(18...19, with: [1, 1])
    #expect(bytes == packed(bundle))
    let connection = try Connection(path: path, mode: .readWrite)
    #expect(try connection.value("PRAGMA journal_mode")?.string == "wal")
  }

  @Test func `the same command again says that it is unchanged, and another file is kept`() throws {
    let bundle = try PrefilledStore()
    try bundle.pack()
    let before = bundle.contents("packed")
    #expect(try bundle.pack().outcome == .unchanged)
    #expect(bundle.contents("packed") == before)
    try bundle.directory.write([1, 2, 3], to: "packed/Default.sqlite")
    let error = try bundle.packFailure()
    #expect(error.codes == ["RUN-002"])
    #expect(error.kind == .wrongCall)
    #expect(packed(bundle) == [1, 2, 3])
  }

  @Test(arguments: [StoreBuilder.JournalMode.wal, .delete])
  func `of a store with an open write transaction, what is committed is packed`(
    mode: StoreBuilder.JournalMode
  ) throws {
    let bundle = try PrefilledStore(mode == .wal ? .quietLog : .rollbackJournal)
    let other = try Connection(path: bundle.path, mode: .readWrite)
    try other.execute("PRAGMA wal_autocheckpoint = 0")
    try other.execute("UPDATE ZTAG SET ZNAME = 'committed' WHERE Z_PK = 1; BEGIN IMMEDIATE")
    try other.execute("UPDATE ZTAG SET ZNAME = 'open'")
    try bundle.pack()
    try other.execute("COMMIT")
    let contents = try StoreContents(
      path: bundle.directory.path("packed/Default.sqlite"), model: PrefilledStore.source)
    #expect(contents.object("Tag", 1)?["name"] == .text("committed"))
    #expect(contents.object("Tag", 2)?["name"] == .text("t2"))
  }

  // MARK: External data

  @Test func `files that no object refers to are left out or taken along, and reported`() throws {
    let bundle = try PrefilledStore(orphans: 2)
    let report = try bundle.pack()
    #expect(report.externalFiles == .referenced)
    #expect(report.externalFileCount == 3)
    #expect(report.externalData?.orphans == 2)
    #expect(report.warnings.all.map(\.code) == ["PAC-003"])
    #expect(bundle.contents("packed").keys.count { $0.contains("_DATA/") } == 3)
    var options = PackingOptions()
    options.externalFiles = .all
    #expect(try bundle.pack(to: "all/Default.sqlite", options: options).externalFileCount == 5)
    #expect(bundle.contents("all").keys.count { $0.contains("_DATA/") } == 5)
  }

  @Test func `a folder of other files at the output is refused and left alone`() throws {
    let bundle = try PrefilledStore()
    try FileManager.default.createDirectory(
      atPath: bundle.directory.path("packed/.Default_SUPPORT/_EXTERNAL_DATA"),
      withIntermediateDirectories: true)
    try bundle.directory.write([1], to: "packed/.Default_SUPPORT/_EXTERNAL_DATA/other")
    let before = bundle.contents("packed")
    #expect(try bundle.packFailure().codes == ["STO-316"])
    #expect(bundle.contents("packed") == before)
  }

  @Test func `missing files are refused unless they may be missing`() throws {
    let bundle = try PrefilledStore()
    try FileManager.default.removeItem(
      atPath: bundle.directory.path(
        "bundle/.Default_SUPPORT/_EXTERNAL_DATA/\(PrefilledStore.files[0])"))
    let error = try bundle.packFailure()
    #expect(error.codes == ["STO-311"])
    #expect(error.kind == .sourceDamaged)
    #expect(bundle.contents("packed") == [:])
    var options = PackingOptions()
    options.allowsMissingFiles = true
    #expect(try bundle.pack(options: options).warnings.all.map(\.code) == ["STO-312"])
  }

  @Test func `without a model that is certain all files come along`() throws {
    let bundle = try PrefilledStore(orphans: 1)
    try Connection(path: bundle.path, mode: .readWrite).execute("DELETE FROM Z_MODELCACHE")
    let report = try bundle.pack(model: nil)
    #expect(report.externalFiles == .all)
    #expect(report.externalFileCount == 4)
    #expect(bundle.contents("packed").keys.count { $0.contains("_DATA/") } == 4)
    var options = PackingOptions()
    options.externalFiles = .referenced
    let error = try bundle.packFailure(options: options, model: nil)
    #expect(error.codes == ["PAC-002"])
  }

  // MARK: Safety

  @Test func `a packed store that is not what was packed is never put in place`() throws {
    let bundle = try PrefilledStore()
    let writes = Mutex(0)
    let files = FileSystem(willPerform: { operation, path in
      guard operation == .write, path.hasSuffix("/packed.sqlite") else { return }
      // The last part of the header is about to be written.
      let number = writes.withLock { count in
        count += 1
        return count
      }
      guard number == 5 else { return }
      try Connection(path: path, mode: .readWrite).execute(
        "UPDATE ZTAG SET ZNAME = 'other' WHERE Z_PK = 7")
    })
    let error = try bundle.packFailure(files: files)
    #expect(error.codes == ["PAC-001"])
    #expect(error.kind == .verificationFailed)
    #expect(bundle.contents("packed") == [:])
  }

  @Test func `triggers, R-trees and tables of the app's own are packed and not run`() throws {
    let bundle = try PrefilledStore()
    do {
      let connection = try Connection(path: bundle.path, mode: .readWrite)
      try connection.execute(
        """
        CREATE VIRTUAL TABLE places USING rtree(id, lowest, highest);
        INSERT INTO places VALUES (1, 0, 5), (2, 3, 9);
        CREATE TABLE "odd ""name" (a, b TEXT COLLATE NOCASE, PRIMARY KEY (b)) WITHOUT ROWID;
        INSERT INTO "odd ""name" VALUES (x'00ff', 'B'), (NULL, 'a'), (1.5, 'c');
        CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, c AS (id * 2), d);
        INSERT INTO counted (d) VALUES ('x'), ('y');
        CREATE VIEW names AS SELECT ZNAME FROM ZTAG;
        CREATE INDEX partial ON ZTAG (ZNAME) WHERE Z_PK > 3;
        CREATE TRIGGER renamed AFTER UPDATE ON ZTAG BEGIN SELECT NSCoreDataTriggerUpdate(1); END;
        """)
    }
    let before = try StoreRows(path: bundle.path)
    try bundle.pack()
    let path = bundle.directory.path("packed/Default.sqlite")
    #expect(try StoreRows(path: path).differences(from: before) == [])
    let connection = try Connection(path: path, mode: .readOnly)
    #expect(try connection.integer("SELECT count(*) FROM places WHERE highest > 6") == 1)
    #expect(try connection.integer("SELECT seq FROM sqlite_sequence") == 2)
  }

  @Test(.enabled(if: Corpus.isPresent))
  func `every store of the corpus is packed, twice to the same bytes`() throws {
    let stores = CorpusStores.all
    #expect(stores.count > 5)
    for store in stores {
      let directory = try TemporaryDirectory()
      // To read a store with a log makes an index of the log beside it.
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store + suffix) {
        try FileManager.default.copyItem(
          atPath: store + suffix, toPath: directory.path("store\(suffix)"))
      }
      for name in ["a", "b"] {
        let report = try StorePacking(
          storePath: directory.path("store"), outputPath: directory.path("\(name).sqlite"),
          options: CorpusStores.lenient, model: nil
        ).run(control: RunControl())
        #expect(report.rows > 0, "\(store)")
      }
      let bytes = directory.contents("a.sqlite")
      #expect(bytes == directory.contents("b.sqlite"), "\(store)")
      _ = try StorePacking(
        storePath: directory.path("a.sqlite"), outputPath: directory.path("c.sqlite"),
        options: CorpusStores.lenient, model: nil
      ).run(control: RunControl())
      #expect(bytes == directory.contents("c.sqlite"), "\(store)")
    }
  }

  /// Stores that apps wrote, where they are there.
  private enum CorpusStores {
    static var lenient: PackingOptions {
      var options = PackingOptions()
      options.allowsMissingFiles = true
      return options
    }

    static var all: [String] {
      (FileManager.default.subpaths(atPath: Corpus.root) ?? []).sorted().map(Corpus.file)
        .filter { path in
          let head = try? FileHandle(forReadingFrom: URL(filePath: path)).read(upToCount: 16)
          return head == Data("SQLite format 3\0".utf8)
        }
    }
  }
}
