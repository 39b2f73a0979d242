import PassagePages
import TestSupport
import Testing

/// What source objects have become, in memory: sets and maps of keys against a dictionary.
@Suite struct LinkTableTests {
  static let seed = RandomSeed.told(for: "LinkTableTests")

  @Test(arguments: 0..<50)
  func `a table finds what a dictionary finds`(round: Int) throws {
    var random = SeededRandom(seed: Self.seed &+ UInt64(round))
    let firsts: [Int64] = [.min, -50, 1, .max - 300]
    let first = firsts.randomElement(using: &random) ?? 1
    let keys = first...first + Int64.random(in: 0...299, using: &random)
    let largests: [Int64] = [0, 1, 7, 1 << 20, 1 << 33, 1 << 60]
    let largest = largests.randomElement(using: &random) ?? 1
    let values = 5...5 + Int64.random(in: 0...largest, using: &random)
    let set = try #require(KeySet(keys, limit: 1_000))
    let map = try #require(KeyMap(keys, to: values, limit: 10_000))
    var expected: [Int64: (key: Int64, entityNumber: Int64)] = [:]
    for key in keys {
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        set.insert(key)
        expected[key] = (key &+ 3, 1)
      case 1:
        let value = Int64.random(in: values, using: &random)
        #expect(map.insert(key, value))
        expected[key] = (value, 2)
      default: break
      }
    }
    #expect(set.count == expected.values.count { $0.entityNumber == 1 })
    let table = LinkTable()
    #expect(table.isEmpty && table.find(first) == nil)
    table.append(set, offset: 3, entityNumber: 1)
    table.append(map, entityNumber: 2)
    for distance in Int64(-70)...400 {
      let key = first &+ distance
      let found = table.find(key)
      #expect(
        found?.key == expected[key]?.key && found?.entityNumber == expected[key]?.entityNumber)
    }
  }

  @Test func `a key or a value outside of its range is not taken`() throws {
    let set = try #require(KeySet(1...64, limit: 8))
    for key in [Int64.min, -1, 0, 65, 128, .max] { set.insert(key) }
    #expect(set.isEmpty)
    let map = try #require(KeyMap(1...64, to: 10...12, limit: 100))
    #expect(!map.insert(0, 10) && !map.insert(65, 10) && !map.insert(1, 9) && !map.insert(1, 13))
  }

  @Test func `what takes more memory than allowed is not made`() {
    #expect(KeySet(1...65, limit: 8) == nil)
    #expect(KeyMap(1...1_000, to: 1...2, limit: 200) == nil)
    #expect(KeyMap(.min ... .max, to: 1...2, limit: .max) == nil)
    #expect(KeyMap(1...2, to: .min ... .max, limit: .max) == nil)
  }

  @Test func `a stored set comes back`() throws {
    let set = try #require(KeySet(-100...100, limit: 100))
    for key in stride(from: Int64(-100), through: 100, by: 7) { set.insert(key) }
    let other = try #require(KeySet(-100...100, limit: 100))
    #expect(!other.restore([1, 2, 3]))
    #expect(other.restore(set.bytes))
    for key in Int64(-100)...100 { #expect(other.contains(key) == set.contains(key)) }
  }
}
