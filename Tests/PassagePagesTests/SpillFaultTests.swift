import PassageFiles
import PassagePages
import PassageTesting
import TestSupport
import Testing

/// A temporary file that fails or lies gives an error or a wrong index, never a trap.
@Suite struct SpillFaultTests {
  static let seed = RandomSeed.told(for: "SpillFaultTests")

  @Test func `a file that has been cut is found out`() throws {
    let database = try IndexBuilderTests.database(rows: 2_000, seed: Self.seed)
    #expect(throws: SpillDamage.self) {
      _ = try database.write(memory: 1) { path in
        try PositionalFile(path, mode: .updating).truncate(to: 5_000)
      }
    }
  }

  @Test func `changed bytes never trap`() throws {
    var random = SeededRandom(seed: Self.seed)
    for _ in 0..<TestVolume.rounds(20) {
      let database = try IndexBuilderTests.database(rows: 600, seed: random.next())
      do {
        _ = try database.write(memory: 1) { path in
          let file = try PositionalFile(path, mode: .updating)
          let size = try file.byteCount
          for _ in 0..<random.pick([1, 10, 1_000]) {
            let byte = [UInt8.random(in: 0...255, using: &random)]
            let place = Int64.random(in: 0..<size, using: &random)
            try byte.withUnsafeBytes { try file.write($0, at: place) }
          }
        }
      } catch {
        #expect(error is SpillDamage)
      }
    }
  }

  /// Entries of three columns are sorted as byte strings, which helpers do.
  @Test(arguments: [0, 1, 3], [1, 3])
  func `a file that cannot be written gives the system's error`(
    helpers: Int, columns: Int
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write([], to: "sort")
    let memory = SortMemory(byteCount: 1, helperCount: helpers) {
      try PositionalFile(path, mode: .reading)
    }
    let builder = IndexBuilder(
      columns: Array(repeating: IndexColumn(position: 0), count: columns), isUnique: false,
      memory: memory)
    let error = #expect(throws: FileSystem.Failure.self) {
      for key in 0..<10_000 {
        try [CellImage.integer(Int64(-key))].withUnsafeBufferPointer {
          try builder.add(key: Int64(key), $0)
        }
      }
    }
    #expect(error?.operation == .write)
  }
}
