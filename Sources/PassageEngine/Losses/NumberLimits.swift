internal import PassageExpressions
internal import PassageModels
internal import PassagePages

/// The numbers that an attribute can hold, of those that are copied or computed for it.
enum NumberLimits: Sendable {
  case integers(ClosedRange<Int64>)
  /// Up to a magnitude. Numbers that are not finite are held too.
  case magnitudes(Double)
  /// Those whole numbers of 64 bits that floating-point numbers of 64 bits are exactly.
  case exactReals
  /// Those whole numbers of 64 bits that floating-point numbers of 32 bits are exactly, as Core Data reads a
  /// Float, and others up to the largest Float. Numbers that are not finite are held too.
  case exactSingles

  /// What an attribute of a type can hold, whatever is written into it; `nil` for one that holds every
  /// number, or none. That whole numbers are rounded is not seen in what is written.
  init?(of type: AttributeType) {
    if let numbers = type.wholeNumbers {
      self = .integers(numbers)
    } else if let magnitude = type.largestMagnitude {
      self = .magnitudes(magnitude)
    } else {
      return nil
    }
  }

  /// What an attribute can hold of the numbers of another; `nil` if it can hold all of them.
  init?(from old: AttributeType, to new: AttributeType) {
    switch (old, new) {
    // The cell of a decimal has a whole number of 64 bits as one.
    case (.integer64, .double), (.decimal, .double): self = .exactReals
    case (.integer32, .float), (.integer64, .float), (.decimal, .float): self = .exactSingles
    case (.integer32, _), (.integer64, _), (.decimal, _), (.double, _), (.float, _):
      guard old != new, let limits = NumberLimits(of: new), !limits.holdAll(of: old) else {
        return nil
      }
      self = limits
    default: return nil
    }
  }

  private func holdAll(of type: AttributeType) -> Bool {
    switch self {
    case .integers(let numbers): type.wholeNumbers.map(numbers.contains) == true
    case .magnitudes(let largest):
      type.wholeNumbers != nil || type.largestMagnitude.map { $0 <= largest } == true
    case .exactReals, .exactSingles: false
    }
  }

  /// Whether the types of the attributes show that they hold every result of an expression.
  func holdAll(of value: BoundExpression) -> Bool {
    switch self {
    case .integers(let numbers): value.wholeNumbers.map(numbers.contains) == true
    case .magnitudes(let largest): value.largestMagnitude.map { $0 <= largest } == true
    case .exactReals, .exactSingles: false
    }
  }

  /// Whether a number does not fit, as ``count(of:)`` has it.
  var test: ValueTest {
    switch self {
    case .integers(let numbers): .isOutside(numbers.lowerBound, numbers.upperBound)
    case .magnitudes(let largest): .isBeyond(largest)
    case .exactReals: .isInexactReal
    case .exactSingles: .isInexactSingle(largest: Self.largestSingle)
    }
  }

  /// The SQL that counts, over the rows of a table, the numbers in a column that do not fit. Fractions are
  /// cut off or rounded as Core Data does, and are not counted.
  func count(of column: String) -> String {
    switch self {
    case .integers(let numbers): return Self.count(of: column, outside: numbers)
    case .magnitudes(let largest): return "sum(\(Self.isBeyond(largest, column)))"
    case .exactReals:
      // SQLite makes the largest integer of a number that is too large for any.
      return "sum(typeof(\(column)) = 'integer' AND (\(column) = \(Int64.max) "
        + "OR CAST(CAST(\(column) AS REAL) AS INTEGER) <> \(column)))"
    case .exactSingles:
      // A Float has 24 bits: what is left when the number is divided by its lowest bit. Zero and the
      // smallest integer, which are Floats, give NULL, which is not counted.
      return "sum((typeof(\(column)) = 'integer' AND "
        + "\(column) / (\(column) & -\(column)) NOT BETWEEN -16777216 AND 16777216) OR "
        + "\(Self.isBeyond(Self.largestSingle, column)))"
    }
  }

  private static let largestSingle = Double(Float.greatestFiniteMagnitude)

  /// The SQL for whether the number in a column is finite and its magnitude is larger than another.
  private static func isBeyond(_ largest: Double, _ column: String) -> String {
    let limit = exactSQL(largest)
    // SQLite reads a literal that is too large as infinity.
    return "(typeof(\(column)) = 'real' AND ((\(column) > \(limit) AND \(column) < 9e999) "
      + "OR (\(column) < -(\(limit)) AND \(column) > -9e999)))"
  }

  /// The SQL that counts, over the rows of a table, the numbers in a column that are not among others.
  private static func count(of column: String, outside numbers: ClosedRange<Int64>) -> String {
    let (smallest, largest) = (numbers.lowerBound, numbers.upperBound)
    // A real number at the limit of 64 bits is one above it.
    let above =
      largest == .max
      ? "typeof(\(column)) = 'real' AND \(column) >= 9223372036854775808.0"
      : "\(column) >= \(largest + 1)"
    return "sum(typeof(\(column)) IN ('integer', 'real') AND "
      + "(\(column) < \(smallest == .min ? "-9223372036854775808.0" : "\(smallest)") OR \(above)))"
  }

  /// A large number as a product that is exact. Not every SQLite reads a long literal as the nearest number.
  ///
  /// - Parameter number: finite, and at least 2^52.
  private static func exactSQL(_ number: Double) -> String {
    var sql = "CAST(\(Int64(number.significand * 0x1p52)) AS REAL)"
    var rest = number.exponent - 52
    while rest > 0 {
      let bits = min(rest, 62)
      sql += " * \(Int64(1) << bits)"
      rest -= bits
    }
    return sql
  }
}
