import Foundation
import PassageFiles
import PassagePlatform
import PassageTesting
import Testing

#if os(Linux)
  /// What the system keeps in its memory of files that a group has made durable.
  struct CachedPagesTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
      directory = try TemporaryDirectory()
      path = directory.path("store")
      try directory.write([UInt8](repeating: 7, count: 1 << 20), to: "store")
      try FileSystem().synchronize(path)
    }

    /// File systems in memory keep everything, and others may.
    private static let isOnDisk: Bool = {
      let folder = open(NSTemporaryDirectory(), O_RDONLY | O_DIRECTORY)
      defer { close(folder) }
      return folder >= 0 && FileSystemSync.isSufficient(for: folder)
    }()

    /// How many pages of the file are in memory. `mincore(2)`.
    private func pageCount() throws -> Int {
      let file = open(path, O_RDONLY)
      defer { close(file) }
      var status = stat()
      try #require(file >= 0 && fstat(file, &status) == 0)
      let start = mmap(nil, Int(status.st_size), PROT_READ, MAP_SHARED, file, 0)
      let memory = try #require(start)
      defer { munmap(memory, Int(status.st_size)) }
      var pages = [UInt8](repeating: 0, count: Int(status.st_size) / Int(getpagesize()) + 1)
      let result = mincore(memory, Int(status.st_size), &pages)
      try #require(result == 0)
      return pages.count { $0 & 1 != 0 }
    }

    @Test(.enabled(if: isOnDisk, "the temporary folder is on no disk"))
    func `a group keeps none, and a file alone keeps all`() throws {
      let all = try pageCount()
      #expect(all * Int(getpagesize()) == 1 << 20)
      FileSystem().dropFromCache(path)
      FileSystem(syncs: SyncGroup(limit: 1, slots: 1)).dropFromCache(path)
      #expect(try pageCount() == all)
      FileSystem(syncs: SyncGroup(limit: 8, slots: 1)).dropFromCache(path)
      #expect(try pageCount() < all / 4)
      #expect(directory.contents("store") == [UInt8](repeating: 7, count: 1 << 20))
    }
  }
#endif
