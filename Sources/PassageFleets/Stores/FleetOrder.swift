/// The order in which stores are migrated.
public enum FleetOrder: Sendable, Hashable {
  /// As they were given.
  case listed
  /// The smallest file first.
  case smallest
  /// Mixed; the same for the same seed and list.
  case random(seed: UInt64)

  /// Puts positions into the order.
  ///
  /// - Parameter bytes: the size of the store at a position.
  func apply(to positions: inout [Int32], bytes: (Int32) -> Int64) {
    switch self {
    case .listed: break
    case .smallest:
      positions.sort { a, b in
        let (x, y) = (bytes(a), bytes(b))
        return x == y ? a < b : x < y
      }
    case .random(let seed):
      var generator = SplitMix64(state: seed)
      positions.shuffle(using: &generator)
    }
  }
}

/// https://prng.di.unimi.it/splitmix64.c: the same numbers for the same seed on every machine.
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
