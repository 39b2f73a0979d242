import Foundation
import PassageEngine
import PassageFiles
import PassageTesting
import Synchronization
import TestSupport
import Testing

/// Work folders that one store hands on to the next.
struct SpareFolderTests {
  private let directory: TemporaryDirectory
  private let files = FileSystem(spareFolders: SpareFolders(limit: 2))

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: directory.path("elsewhere"), withIntermediateDirectories: false)
  }

  private func folder(_ store: String) -> String { directory.path("\(store).sqlite.passage") }

  private func hold(_ store: String) throws -> WorkFolder {
    try #require(try WorkFolder.hold(folder(store), files: files, isMarked: false))
  }

  private func identity(_ store: String) throws -> [UInt64]? {
    try FileSystem().identity(folder(store))
  }

  /// Leaves the folder of a store, with contents in its lock as after a cut-over.
  private func leave(_ store: String, lock: [UInt8] = Array("Passage 1\n…".utf8)) throws {
    let work = try hold(store)
    try directory.write(lock, to: "\(store).sqlite.passage/lock")
    #expect(work.end(isLight: true).isEmpty)
    #expect(try identity(store) != nil)
  }

  @Test func `the next store gets the folder, and nothing that was in its lock`() throws {
    try leave("a")
    let first = try identity("a")
    #expect(directory.contents("a.sqlite.passage/lock")?.allSatisfy { $0 == 0 } == true)
    let work = try hold("b")
    #expect(try identity("b") == first && identity("a") == nil)
    #expect(work.path == folder("b"))
    #expect(try FileSystem().isLocked(folder("b") + "/lock") == true)
    try work.checkPlace()
  }

  @Test func `another runner may take a folder that waits`() throws {
    try leave("a")
    let first = try identity("a")
    let other = try #require(try WorkFolder.hold(folder("a"), files: FileSystem()))
    #expect(try identity("a") == first)
    let work = try hold("b")
    #expect(try identity("a") != identity("b"))
    try other.checkPlace()
    #expect(other.end().isEmpty && work.end(isLight: true).isEmpty)
    #expect(try identity("a") == nil)
  }

  @Test func `a folder that another runner has ended with is not handed on`() throws {
    try leave("a")
    let other = try #require(try WorkFolder.holdExisting(folder("a"), files: FileSystem()))
    #expect(other.end().isEmpty)
    let work = try hold("b")
    #expect(try identity("a") == nil && identity("b") != nil)
    #expect(work.end(isLight: true).isEmpty)
  }

  @Test func `a folder that holds something else stays where it is`() throws {
    try leave("a")
    try directory.write([1], to: "a.sqlite.passage/note.txt")
    _ = try hold("b")
    #expect(directory.contents("a.sqlite.passage/note.txt") == [1])
    #expect(try identity("a") != identity("b"))
  }

  @Test func `a store in another folder gets a folder of its own`() throws {
    try leave("a")
    _ = try hold("elsewhere/b")
    #expect(try identity("a") == nil && identity("elsewhere/b") != nil)
  }

  @Test func `what has the name of the next folder is not replaced`() throws {
    try leave("a")
    try directory.write([1], to: "b.sqlite.passage")
    #expect(throws: MigrationError.self) { try hold("b") }
    #expect(directory.contents("b.sqlite.passage") == [1])
    #expect(try identity("a") == nil)
  }

  @Test func `a folder that must be marked is made anew`() throws {
    try leave("a")
    let first = try identity("a")
    let work = try #require(try WorkFolder.hold(folder("b"), files: files))
    #expect(try identity("a") == first && identity("b") != first)
    #expect(work.end().isEmpty)
  }

  @Test func `only some wait, and at the end none is left`() throws {
    let held = try ["a", "b", "c"].map { try hold($0) }
    for work in held { #expect(work.end(isLight: true).isEmpty) }
    #expect(try ["a", "b", "c"].filter { try identity($0) != nil } == ["a", "b"])
    files.spareFolders?.removeAll(files)
    #expect(files.spareFolders?.leftPaths == [])
    #expect(try identity("a") == nil && identity("b") == nil)
  }

  @Test func `a lock that cannot be blanked is removed with its folder`() throws {
    let attempts = Mutex(0)
    let failing = FileSystem(spareFolders: SpareFolders(limit: 2)) { operation, path in
      guard operation == .write, path.hasSuffix("/lock") else { return }
      attempts.withLock { $0 += 1 }
      throw FileSystem.Failure(operation: operation, path: path, errorNumber: 5)
    }
    let work = try #require(
      try WorkFolder.hold(folder("a"), files: failing, isMarked: false))
    #expect(work.end(isLight: true).isEmpty)
    #expect(attempts.withLock { $0 } == 1)
    #expect(try identity("a") == nil)
  }

  @Test func `a folder that cannot be taken again is told, unless somebody works in it`() throws {
    let held = try ["a", "b"].map { try hold($0) }
    for work in held { #expect(work.end(isLight: true).isEmpty) }
    try directory.write([1], to: "a.sqlite.passage/note.txt")
    let other = try #require(try WorkFolder.hold(folder("b"), files: FileSystem()))
    files.spareFolders?.removeAll(files)
    #expect(files.spareFolders?.leftPaths == [folder("a")])
    #expect(directory.contents("a.sqlite.passage/note.txt") == [1])
    #expect(other.end().isEmpty)
  }

  @Test func `a folder that cannot be removed is told`() throws {
    let isFailing = Mutex(false)
    let failing = FileSystem(spareFolders: SpareFolders(limit: 2)) { operation, path in
      guard operation == .remove, isFailing.withLock({ $0 }) else { return }
      throw FileSystem.Failure(operation: operation, path: path, errorNumber: 5)
    }
    let work = try #require(
      try WorkFolder.hold(folder("a"), files: failing, isMarked: false))
    #expect(work.end(isLight: true).isEmpty)
    isFailing.withLock { $0 = true }
    failing.spareFolders?.removeAll(failing)
    #expect(failing.spareFolders?.leftPaths == [folder("a")])
    // The next run removes it.
    #expect(
      FinishedWork.remove(
        destinationPath: directory.path("a.sqlite"), storePath: directory.path("a.sqlite")
      ).isEmpty)
    #expect(try identity("a") == nil)
  }
}
