import PassagePages
import PassageTesting
import TestSupport
import Testing

/// Indexes that are sorted and built page by page are the indexes that SQLite makes of the same rows.
@Suite struct IndexBuilderTests {
  static let seed = RandomSeed.told(for: "IndexBuilderTests")
  /// How many random databases of each kind there are.
  static let rounds = TestVolume.rounds(6)

  @Test(arguments: [512, 1_024, 4_096, 8_192, 65_536], [true, false])
  func `random rows make the indexes that SQLite makes`(pageBytes: Int, isAutoVacuum: Bool) throws {
    var random = SeededRandom(seed: Self.seed &+ UInt64(pageBytes) &+ (isAutoVacuum ? 1 : 0))
    for _ in 0..<Self.rounds {
      let seed = random.next()
      var content = RandomIndexes(seed: seed)
      let database = IndexedDatabase(
        folder: try TemporaryDirectory(), pageBytes: pageBytes, isAutoVacuum: isAutoVacuum,
        indexes: content.indexes(), rows: content.rows([0, 1, 2, 7, 30, 400, 1_500]))
      // From a few runs for each page to everything in memory.
      try database.checkAll(memory: random.pick([1, 30_000, 200_000, 16 << 20]))
    }
  }
}
