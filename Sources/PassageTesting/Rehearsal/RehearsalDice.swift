/// Random numbers that depend on a seed and on what they are for, not on what was asked before: an
/// attribute that is added to a model leaves the values of the others as they were.
struct RehearsalDice: RandomNumberGenerator {
  private var state: UInt64

  /// - Parameter purpose: what the numbers are for, such as the names of an entity and an attribute.
  init(seed: UInt64, _ purpose: String...) {
    state = seed
    for text in purpose {
      for byte in text.utf8 { state = Self.mixed(state ^ UInt64(byte)) }
      state = Self.mixed(state ^ 0x100)
    }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mixed(state)
  }

  /// The finalizer of SplitMix64: each bit of the result depends on each bit of the number.
  private static func mixed(_ number: UInt64) -> UInt64 {
    var mixed = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// True in so many of a hundred cases.
  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  /// One of the elements, of which there must be some.
  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }
}
