import Foundation
import PassageFiles
import PassageSQLite
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// Whether a store has changed since a look at it, by what its files tell.
struct StoreLookTests {
  /// A store in WAL mode without a log, and what a look at it tells.
  private struct Seen {
    let look: StoreLook
    let file: PositionalFile

    func isStill(at unit: StoreUnit) -> Bool { look.isStill(at: unit, file) }
  }

  private func look() throws -> (folder: TemporaryDirectory, unit: StoreUnit, seen: Seen) {
    let folder = try TemporaryDirectory()
    let unit = StoreUnit(path: folder.path("library.sqlite"))
    try StoreCreator.create(model: Fixtures.library, at: unit.path, journalMode: .delete)
    try Connection(path: unit.path, mode: .readWrite).execute("PRAGMA journal_mode = WAL")
    #expect(folder.names == ["library.sqlite"])
    let (look, file) = try StoreFile.open(unit)
    return (folder, unit, Seen(look: look, file: file))
  }

  @Test func `a store that nobody touches is still the same`() throws {
    let (folder, unit, seen) = try look()
    #expect(seen.look.isAlone)
    #expect(seen.isStill(at: unit))
    // Readers leave an empty log.
    try folder.write([], to: "library.sqlite-wal")
    #expect(seen.isStill(at: unit))
  }

  @Test(arguments: ["-wal", "-shm", "-journal"])
  func `a store with contents beside it is not alone`(end: String) throws {
    let (folder, unit, seen) = try look()
    try folder.write([1], to: "library.sqlite\(end)")
    #expect(!seen.isStill(at: unit))
    #expect(try !StoreFile.look(at: unit).isAlone)
  }

  @Test func `a store that was written and closed is noticed`() throws {
    let (folder, unit, seen) = try look()
    try Connection(path: unit.path, mode: .readWrite).execute(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1")
    #expect(folder.names == ["library.sqlite"])
    #expect(!seen.isStill(at: unit))
  }

  @Test func `a store with the same size and time is known by its header`() throws {
    let (folder, unit, seen) = try look()
    let time = try FileSystem.status(unit.path).modifiedNanoseconds
    var bytes = try #require(folder.contents("library.sqlite"))
    // The counter of changes (https://www.sqlite.org/fileformat2.html, section 1.3.7).
    bytes[27] &+= 1
    let file = try FileHandle(forWritingTo: URL(filePath: unit.path))
    try file.write(contentsOf: bytes)
    try file.close()
    try FileSystem().setModificationTimeIfPossible(unit.path, nanoseconds: time)
    try #require(FileSystem.status(unit.path).modifiedNanoseconds == time)
    #expect(!seen.isStill(at: unit))
  }

  @Test func `another store at the path, or none, is noticed`() throws {
    let (folder, unit, seen) = try look()
    try folder.copy(unit.path, to: "other.sqlite")
    try FileManager.default.removeItem(atPath: unit.path)
    #expect(!seen.isStill(at: unit))
    try FileManager.default.moveItem(atPath: folder.path("other.sqlite"), toPath: unit.path)
    #expect(!seen.isStill(at: unit))
  }

  @Test func `a store that is seen alone has no link before it and nothing beside it`() throws {
    let (folder, unit, _) = try look()
    let sight = try #require(try StoreMetadata.seeSingle(path: unit.path)?.sight)
    #expect(try sight.singleStatus == FileSystem.status(unit.path))
    let link = folder.path("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: unit.path)
    #expect(try StoreMetadata.seeSingle(path: link) == nil)
    #expect(try StoreMetadata.see(path: link).sight?.singleStatus == nil)
    // An empty journal is nothing to roll back, but it is there.
    try folder.write([], to: "library.sqlite-journal")
    #expect(try StoreMetadata.seeSingle(path: unit.path) == nil)
  }

  /// A folder that is held open is listed without the C library's stream.
  @Test(arguments: [0, 1, 300])
  func `an open folder tells all of its names`(count: Int) throws {
    let folder = try TemporaryDirectory()
    let names = (0..<count).map { "\($0)-" + String(repeating: "ü", count: $0 % 100) }
    for name in names { try folder.write([], to: name) }
    let files = FileSystem().anchored(at: try FileSystem().openFolder(folder.path))
    for _ in 0..<2 { #expect(try files.entries(of: folder.path) == names.sorted()) }
    try folder.write([], to: "late")
    #expect(try files.entries(of: folder.path) == (names + ["late"]).sorted())
  }

  /// No link is followed inside a folder that is held open, and every link elsewhere. Swift takes the mark
  /// into the slash before it, and the names of the folders for one.
  @Test func `what is inside an open folder is told by bytes`() throws {
    let folder = try TemporaryDirectory()
    let target = try folder.write([1], to: "target")
    let (open, other) = (folder.path("e\u{301}"), folder.path("\u{e9}"))
    for path in [open, other] where !FileManager.default.fileExists(atPath: path) {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        atPath: path + "/\u{301}link", withDestinationPath: target)
    }
    let identity = try FileSystem().identity(target)
    let files = FileSystem().anchored(at: try FileSystem().openFolder(open))
    #expect(try files.identity(open + "/\u{301}link") != identity)
    #expect(try files.identity(other + "/\u{301}link") == identity)
  }
}
