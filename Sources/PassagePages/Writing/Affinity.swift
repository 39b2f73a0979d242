internal import PassagePlatform
package import PassageValues

/// What a column makes of the values that are stored in it
/// (https://www.sqlite.org/datatype3.html#type_affinity).
package enum Affinity: Sendable, Hashable {
  case blob
  case text
  /// The affinities NUMERIC and INTEGER, which store alike.
  case numeric
  case real

  /// The affinity of a declared type, by SQLite's five rules.
  package init(declaredType: String) {
    // Core Data's own types, of which a fleet of small stores has nothing else.
    switch declaredType {
    case "INTEGER", "TIMESTAMP", "DECIMAL": self = .numeric
    case "VARCHAR": self = .text
    case "FLOAT": self = .real
    case "BLOB": self = .blob
    default: self.init(anyType: declaredType.uppercasedInASCII)
    }
  }

  private init(anyType type: String) {
    self =
      if type.contains("INT") {
        .numeric
      } else if type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") {
        .text
      } else if type.contains("BLOB") || type.isEmpty {
        .blob
      } else if type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB") {
        .real
      } else {
        .numeric
      }
  }

  /// Whether SQLite converts the same values before it compares two columns with anything
  /// (https://www.sqlite.org/datatype3.html#type_conversions_prior_to_comparison).
  package func comparesLike(_ other: Affinity) -> Bool {
    self == other || isOfNumbers && other.isOfNumbers
  }

  private var isOfNumbers: Bool { self == .numeric || self == .real }

  /// The image of a value in a column of this affinity, as SQLite would store it.
  ///
  /// - Returns: `nil` where SQLite would convert between texts and numbers: that is left to it.
  @inline(__always)
  package func image(of cell: RawCell) -> CellImage? {
    switch cell {
    case .null: return .null
    case .integer(let value):
      if self == .text { return nil }
      return self == .real ? Self.realImage(value) : .integer(value)
    case .real(let value):
      if self == .blob || value.isNaN { return .real(value) }
      if self == .text { return nil }
      guard let whole = Self.wholeNumber(value) else { return .real(value) }
      return self == .real ? Self.realImage(whole) : .integer(whole)
    case .text(let bytes):
      return self == .numeric || self == .real ? nil : .text(bytes)
    case .blob(let bytes): return .blob(bytes)
    }
  }

  /// The integer that is the same number; the two outermost are left out, as SQLite does.
  @inline(__always)
  private static func wholeNumber(_ value: Double) -> Int64? {
    guard value >= -0x1p63, value < 0x1p63 else { return nil }
    let whole = Int64(value)
    return Double(whole) == value && whole > .min && whole < .max ? whole : nil
  }

  /// A whole number in a column of reals takes the room of an integer, unless that would be eight bytes.
  @inline(__always)
  private static func realImage(_ value: Int64) -> CellImage {
    realTakesInteger(value) ? .integer(value) : .real(Double(value))
  }

  /// Whether a column of reals stores a whole number as an integer.
  @inline(__always)
  static func realTakesInteger(_ value: Int64) -> Bool {
    UInt64(bitPattern: value ^ value &>> 63) <= 0x7FFF_FFFF_FFFF
  }
}

extension Double {
  /// Whether there is an integer of 64 bits that is the same number.
  @inline(__always)
  var isWhole: Bool {
    guard self >= -0x1p63, self < 0x1p63 else { return false }
    return Double(Int64(self)) == self
  }

  /// Where ``isWhole`` is decided by one sum.
  static var smallLimit: Double { 0x1p51 }
  /// The sum with a small number is rounded to a whole one, which is in its lowest bits.
  static var roundingTerm: Double { 0x1.8p52 }

  /// Whether the number is small and has a fraction.
  @inline(__always)
  var hasFraction: Bool {
    abs(self) < Self.smallLimit && self + Self.roundingTerm - Self.roundingTerm != self
  }
}
