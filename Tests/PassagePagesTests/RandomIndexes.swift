import PassageTesting
import PassageValues
import TestSupport

/// Makes rows and indexes that are hard on a builder of indexes.
struct RandomIndexes {
  private var random: SeededRandom
  private let longest: Int
  private let freshPercent: Int
  private let nullPercent: Int
  /// Whether numeric columns hold integers alone.
  private let isPlain: Bool
  /// The values of each column so far, some of which come again.
  private var pool: [[Value]] = IndexedDatabase.types.map { _ in [] }

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    longest = random.pick([4, 12, 12, 300, 5_000])
    freshPercent = random.pick([2, 50, 100])
    nullPercent = random.pick([0, 15, 70])
    isPlain = random.chance(30)
  }

  /// - Parameter counts: one of which is the number of rows, or less where values are long.
  mutating func rows(_ counts: [Int]) -> [(key: Int64, values: [Value])] {
    let count = random.pick(counts)
    var key = random.pick([Int64.min, -70_000, -20, 1, 1, 0x7FFF_FFFF])
    return (0..<(longest > 300 ? min(count, 200) : count)).map { _ in
      let row = (key, IndexedDatabase.types.indices.map { value($0) })
      key += random.chance(90) ? 1 : Int64.random(in: 1...1_000_000_000_000, using: &random)
      return row
    }
  }

  /// Several indexes over one to four columns.
  mutating func indexes() -> [IndexFixture] {
    (0..<random.pick([1, 2, 5])).map { number in
      var places = Array(-1..<IndexedDatabase.types.count)
      places.shuffle(using: &random)
      let columns = places.prefix(random.pick([1, 1, 2, 2, 3, 4])).map {
        (place: $0, isDescending: random.chance(30))
      }
      return IndexFixture(name: "i\(number)", columns: columns, isUnique: random.chance(30))
    }
  }

  private mutating func value(_ column: Int) -> Value {
    if random.chance(nullPercent) { return .null }
    if let old = pool[column].randomElement(using: &random), !random.chance(freshPercent) {
      return old
    }
    let value = freshValue(IndexedDatabase.types[column])
    if pool[column].count < 50 { pool[column].append(value) }
    return value
  }

  private mutating func freshValue(_ type: String) -> Value {
    switch type {
    case "VARCHAR": return random.chance(5) ? blob() : text()
    case "BLOB", "":
      switch random.pick([0, 1, 2, 3]) {
      case 0: return text()
      case 1: return integer()
      case 2: return real()
      default: return blob()
      }
    default:
      if isPlain { return .integer(Int64.random(in: -300...300, using: &random)) }
      return random.chance(60) ? integer() : random.chance(5) ? blob() : real()
    }
  }

  private mutating func text() -> Value {
    let length = Int.random(in: 0...longest, using: &random)
    let start = random.pick(["", "", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "a", "a\0", "\0\0"])
    if random.chance(30) { return .text(start + String(repeating: "aé€", count: length / 6)) }
    let letters = (0..<length / 2).map { _ in random.pick(["a", "b", "c", "é", "\0", "z"]) }
    return .text(start + letters.joined())
  }

  private mutating func blob() -> Value {
    let length = Int.random(in: 0...longest, using: &random)
    let few = random.chance(50)
    return .blob(
      (0..<length).map { _ in
        few ? random.pick([0, 1, 255]) : UInt8.random(in: 0...255, using: &random)
      })
  }

  private mutating func integer() -> Value {
    let bits = Int.random(in: 0...63, using: &random)
    let edge = bits == 63 ? Int64.max : Int64(1) << Int64(bits)
    let around = edge &+ Int64.random(in: -2_000...2_000, using: &random)
    var values: [Int64] = [0, 1, -1, edge, edge - 1, -edge, -edge - 1, around, 0 &- around]
    values += [Int64.min, .max, .max - 1, .max - 511, .max - 512, .max - 513]
    return .integer(random.pick(values))
  }

  private mutating func real() -> Value {
    let exponent = random.pick([0, 40, 47, 52, 53, 54, 62, 63, 64])
    let edge = Double(sign: .plus, exponent: exponent, significand: 1)
    var values: [Double] = [0, -0.0, 1, 0.5, .infinity, -.infinity, .nan, 1e300]
    values += [edge, -edge, edge.nextUp, edge.nextDown, -edge.nextUp, edge + 1, edge - 1]
    values += [Double.leastNonzeroMagnitude, -Double.leastNonzeroMagnitude]
    values.append(Double.random(in: -1e6...1e6, using: &random))
    values.append(Double(Int64.random(in: -1_000_000...1_000_000, using: &random)))
    return .real(random.pick(values))
  }
}
