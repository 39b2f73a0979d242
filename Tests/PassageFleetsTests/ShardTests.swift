import PassageFleets
import Testing

/// Shards are stable: the same store is in the same shard on every machine and in every version.
@Suite struct ShardTests {
  @Test(
    arguments: [
      // Computed by a program of its own (FNV-1a, then the end of MurmurHash3).
      ("", 0xefd0_1f60_ba99_2926),
      ("a", 0x82a2_a958_a9be_ce5b),
      ("data/0001/App.sqlite", 0xc082_481b_f43b_f9c4),
    ] as [(String, UInt64)])
  func `the hash of a name never changes`(name: String, hash: UInt64) {
    #expect(Shard.hash(name.utf8) == hash)
  }
}
