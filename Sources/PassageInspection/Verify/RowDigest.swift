package import PassageSQLite
package import PassageValues

/// A digest of 128 bits over a set of rows, independent of their order. It detects accidental
/// differences; it is not cryptographic and does not resist deliberate collisions.
package struct RowDigest: Hashable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  package init() {}

  fileprivate init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Adds a row.
  ///
  /// - Complexity: O(b) in the bytes of the row.
  package mutating func add(_ row: [Value]) {
    var hash = RowHash()
    for value in row { hash.combine(value) }
    // A sum does not depend on the order and, unlike an exclusive or, counts a row that is present
    // twice.
    low &+= hash.low
    high &+= hash.high
  }

  /// Adds the current row of a statement without copying its cells.
  ///
  /// Do not mix with ``add(_:)-([Value])``: text is not validated here.
  package mutating func add(_ row: Statement) {
    var hash = RowHash()
    for column in 0..<row.columnCount { row.withCell(at: column) { hash.combine($0) } }
    low &+= hash.low
    high &+= hash.high
  }

  /// 32 hexadecimal digits.
  package var text: String {
    [high, low].map { part in
      let digits = String(part, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

/// A digest of 128 bits over bytes that arrive in pieces.
struct PieceDigest {
  private var hash = RowHash()

  mutating func take(_ piece: [UInt8]) { hash.combine(piece: piece) }

  /// 32 hexadecimal digits.
  var text: String { RowDigest(low: hash.low, high: hash.high).text }
}

/// Two 64-bit hashes of the FNV-1a kind with different initial values, mixed at the end. The result
/// is the same on every machine.
private struct RowHash {
  private var first: UInt64 = 0xCBF2_9CE4_8422_2325
  private var second: UInt64 = 0x9E37_79B9_7F4A_7C15

  var low: UInt64 { Self.mixed(first) }
  var high: UInt64 { Self.mixed(second) }

  mutating func combine(_ value: Value) {
    switch value {
    case .null: combine(0 as UInt8)
    case .integer(let integer):
      combine(1 as UInt8)
      combine(UInt64(bitPattern: integer))
    case .real(let real):
      combine(2 as UInt8)
      combine(real.bitPattern)
    case .text(let text): combine(text.utf8, tag: 3)
    case .blob(let bytes): combine(bytes, tag: 4)
    case .malformedText(let bytes): combine(bytes, tag: 5)
    }
  }

  mutating func combine(_ cell: CellBytes) {
    switch cell {
    case .null: combine(Value.null)
    case .integer(let integer): combine(Value.integer(integer))
    case .real(let real): combine(Value.real(real))
    case .text(let bytes): combine(bytes, tag: 3)
    case .blob(let bytes): combine(bytes, tag: 4)
    }
  }

  mutating func combine(piece: [UInt8]) { for byte in piece { combine(byte) } }

  private mutating func combine(_ bytes: some Collection<UInt8>, tag: UInt8) {
    combine(tag)
    combine(UInt64(bytes.count))
    for byte in bytes { combine(byte) }
  }

  private mutating func combine(_ word: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      combine(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
    }
  }

  private mutating func combine(_ byte: UInt8) {
    first = (first ^ UInt64(byte)) &* 0x100_0000_01B3
    second = (second ^ UInt64(byte)) &* 0x100_0000_01B3 &+ 0x5851_F42D_4C95_7F2D
  }

  private static func mixed(_ value: UInt64) -> UInt64 {
    var value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
