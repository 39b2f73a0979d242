/// A part of a list of stores. Every store belongs to exactly one of the shards, whatever else is in
/// the list.
///
/// The shard of a store follows from its name as it was given and from the number of shards alone:
/// FNV-1a with 64 bits over the bytes of the name, mixed as MurmurHash3 ends, modulo the number of
/// shards. So a list may grow and shrink between two runs.
public struct Shard: Sendable, Hashable {
  /// Its number, from 1.
  public let number: Int
  /// The number of shards.
  public let count: Int

  /// The most shards of a list.
  package static let maximumCount = 1_000_000

  /// - Returns: `nil` unless the number is one of those of the shards, of which there may be a million.
  public init?(_ number: Int, of count: Int) {
    guard (1...Self.maximumCount).contains(count), (1...count).contains(number) else { return nil }
    self.number = number
    self.count = count
  }

  /// `3/8`.
  package var text: String { "\(number)/\(count)" }

  /// Whether a store with this name is in the shard.
  package func contains(_ name: some Sequence<UInt8>) -> Bool {
    Self.hash(name) % UInt64(count) == UInt64(number - 1)
  }

  /// The hash of a name. It never changes.
  package static func hash(_ name: some Sequence<UInt8>) -> UInt64 {
    // http://www.isthe.com/chongo/tech/comp/fnv/
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    // The lowest bits of FNV-1a are those of the bytes alone; an even number of shards needs more.
    hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
    hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
    return hash ^ (hash >> 33)
  }
}
