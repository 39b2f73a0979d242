import PassageFleets
import Testing

/// Shards are stable: the same store is in the same shard on every machine and in every version.
struct ShardTests {
  /// Computed by a program of its own in another language.
  @Test(
    arguments: [
      ("", 0xefd0_1f60_ba99_2926), ("a", 0x82a2_a958_a9be_ce5b),
      ("data/0001/App.sqlite", 0xc082_481b_f43b_f9c4), ("ü", 0x9a8f_a3aa_aa09_fd21),
    ] as [(String, UInt64)])
  func `the hash of a name never changes`(name: String, hash: UInt64) {
    #expect(Shard.hash(name.utf8) == hash)
  }

  @Test(arguments: [1, 2, 3, 8, 64])
  func `every store is in exactly one shard, and none is much larger than the others`(
    count: Int
  ) throws {
    let shards = try (1...count).map { try #require(Shard($0, of: count)) }
    var sizes = Array(repeating: 0, count: count)
    for number in 0..<6_400 {
      let name = "data/\(number)/App.sqlite"
      let containing = shards.indices.filter { shards[$0].contains(name.utf8) }
      #expect(containing.count == 1)
      sizes[containing[0]] += 1
    }
    #expect(sizes.allSatisfy { $0 > 6_400 / count * 6 / 10 && $0 < 6_400 / count * 15 / 10 })
  }

  @Test(arguments: [(0, 3), (4, 3), (1, 0), (-1, 3), (1, 1_000_001)])
  func `a shard that is none of its shards does not exist`(number: Int, count: Int) {
    #expect(Shard(number, of: count) == nil)
  }

  @Test func `shares are numbers of stores and parts of them`() {
    #expect(FleetShare("5") == .count(5))
    #expect(FleetShare("0.5%") == .share(0.005))
    for text in ["", "%", "-1", "101%", "1e3", "nan%", "0x10", " 5", "5 %", "+5"] {
      #expect(FleetShare(text) == nil, "\(text)")
    }
    #expect(FleetShare("1%")?.some(of: 10) == 1)
    #expect(FleetShare("1%")?.most(of: 10) == 0)
    #expect(FleetShare("0%")?.some(of: 10) == 0)
    #expect(FleetShare("7")?.some(of: 5) == 5)
  }
}
