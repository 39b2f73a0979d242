#if canImport(Glibc)
  import Foundation
  import Glibc
  import PassageDiagnostics
  import PassageModels
  import PassageReaders
  import PassageStores
  import PassageTesting
  import Testing

  /// A file that cannot be opened because too many are is not called damaged, foreign or forbidden.
  struct TooManyOpenFilesTests {
    /// Runs in a process of its own, whose limit is not that of other tests.
    @Test func `each file that cannot be opened is told as that`() async {
      await #expect(processExitsWith: .success) {
        let folder = try TemporaryDirectory()
        let model = Model(
          name: "M",
          entities: [Entity(name: "A", attributes: [Attribute(name: "t", type: .string)])])
        let path = folder.path("a.sqlite")
        try TestStore(model: model, at: path, journalMode: .wal).close()
        let file = try folder.write(
          Array("<model><entity name=\"A\"/></model>".utf8), to: "M.xcdatamodel/contents")
        _ = try ModelFile.read(path: folder.path("M.xcdatamodel"))
        _ = try StoreFile.open(path: path)
        for more in Int32(0)...8 {
          let found = Self.codes(withMoreFiles: more) {
            _ = try StoreFile.open(path: path)
          }
          #expect(found.isEmpty ? more > 0 : found == ["STO-160"], "store, \(more): \(found)")
          #expect(folder.names == ["M.xcdatamodel", "a.sqlite"], "\(more)")
          let ofStore = Self.codes(withMoreFiles: more) { _ = try ModelFile.read(path: path) }
          #expect(ofStore.isEmpty ? more > 0 : ofStore == ["STO-160"], "\(more): \(ofStore)")
          let ofModel = Self.codes(withMoreFiles: more) { _ = try ModelFile.read(path: file) }
          #expect(ofModel.isEmpty ? more > 0 : ofModel == ["STO-160"], "\(more): \(ofModel)")
        }
      }
    }

    /// The codes of the errors of something that may open only so many more files.
    private static func codes(
      withMoreFiles count: Int32, _ body: () throws -> Void
    ) -> [String] {
      let next = open("/dev/null", O_RDONLY)
      close(next)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var limit = rlimit()
      getrlimit(resource, &limit)
      var low = limit
      low.rlim_cur = rlim_t(next + count)
      setrlimit(resource, &low)
      defer { setrlimit(resource, &limit) }
      do {
        try body()
        return []
      } catch let error as StoreError {
        return [error.diagnostic.code]
      } catch let error as Diagnostics {
        return error.errors.map(\.code)
      } catch {
        return ["\(error)"]
      }
    }
  }
#endif
