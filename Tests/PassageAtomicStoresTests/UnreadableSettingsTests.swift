#if os(Linux)
  import Foundation
  import PassageDiagnostics
  import PassageTesting
  import Testing

  @testable import PassageAtomicStores

  /// Settings that the system fails to read.
  struct UnreadableSettingsTests {
    @Test func `settings that a disk fails to give are not called wrong`() throws {
      let folder = try TemporaryDirectory()
      // A process cannot read its own memory at 0: EIO.
      try FileManager.default.createSymbolicLink(
        atPath: TextStoreSettings.path(of: folder.path("a.csv")),
        withDestinationPath: "/proc/self/mem")
      let failure = #expect(throws: Diagnostics.self) {
        try TextStoreSettings.beside(folder.path("a.csv"))
      }
      #expect(failure?.all.map(\.code) == ["MOD-133"])
    }
  }
#endif
