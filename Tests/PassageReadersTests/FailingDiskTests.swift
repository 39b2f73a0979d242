#if os(Linux)
  import Foundation
  import PassageDiagnostics
  import PassageReaders
  import PassageTesting
  import Testing

  /// A file that the system fails to read is not called wrong, missing or forbidden.
  struct FailingDiskTests {
    @Test(arguments: ["M.mom", "M.json", "M.xcdatamodel/contents"])
    func `a model whose bytes cannot be read is the system's failure`(name: String) throws {
      let folder = try TemporaryDirectory()
      let path = folder.path(name)
      try FileManager.default.createDirectory(
        at: folder.url(name).deletingLastPathComponent(), withIntermediateDirectories: true)
      // A process cannot read its own memory at 0: EIO.
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: "/proc/self/mem")
      let failure = #expect(throws: Diagnostics.self) { try ModelFile.read(path: path) }
      #expect(failure?.all.map(\.code) == ["MOD-133"])
    }
  }
#endif
