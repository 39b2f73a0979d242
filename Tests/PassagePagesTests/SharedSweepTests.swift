import PassagePages
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// What is told of the ranges of a table adds up to what is told of the whole.
@Suite struct SharedSweepTests {
  private static let seed = RandomSeed.told(for: "SharedSweepTests")

  @Test(arguments: [1, 40, 4_000], [1, 2, 3])
  func `counts and digests of ranges add up`(longest: Int, sweepCount: Int) throws {
    var random = SeededRandom(seed: Self.seed &+ UInt64(longest))
    let folder = try TemporaryDirectory()
    let path = folder.path("table.db")
    let root = try TableTreeWriterTests.makeDatabase(at: path, pageBytes: 512, isAutoVacuum: true)
    try TableTreeWriterTests.insert(
      (1...3_000).map { key -> (key: Int64, values: [Value]) in
        let length = random.chance(90) ? 1 : Int.random(in: 0...longest, using: &random)
        let text = Value.text(String(repeating: "x", count: length))
        return (Int64(key), [text, .integer(7), .real(0.5), .null, .null, .integer(1)])
      }, into: path)
    let reader = try PageReader(path: path)
    let shared = SharedSweeps(reader, root: root)
    let counting = SharedSweeps(reader, root: root)
    let sweeps = (0..<sweepCount).map { _ in (shared.makeSweep(), counting.makeSweep()) }
    let ranges = shared.makeRanges()
    var digest = PageDigest()
    var count: Int64 = 0
    var number = 0
    while let range = try ranges.next() {
      let (first, second) = sweeps[number % sweepCount]
      digest.add(try first.digest(of: range))
      count += try second.rowCount(of: range)
      number += 1
    }
    #expect(number >= 3)
    #expect(count == 3_000)
    #expect(try digest == TableSweep(reader, root: root, columnCount: 1).digest())
  }

  @Test func `a page that two ranges come to is damage`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("table.db")
    let root = try TableTreeWriterTests.makeDatabase(at: path, pageBytes: 512, isAutoVacuum: true)
    try TableTreeWriterTests.insert(
      (1...3_000).map { key -> (key: Int64, values: [Value]) in
        (Int64(key), [.text("x"), .integer(7), .real(0.5), .null, .null, .integer(1)])
      }, into: path)
    let shared = SharedSweeps(try PageReader(path: path), root: root)
    let range = try #require(try shared.makeRanges().next())
    _ = try shared.makeSweep().digest(of: range)
    #expect(throws: PageDamage.self) { try shared.makeSweep().digest(of: range) }
  }
}
