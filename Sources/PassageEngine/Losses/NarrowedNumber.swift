internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassagePages

/// A number that an entity mapping copies, although the destination's type cannot hold all that the
/// source's can.
struct NarrowedNumber {
  /// The attributes' names.
  let source: String
  let destination: String
  private let limits: Limits

  private enum Limits {
    /// Whole numbers from the first to the second.
    case integers(Int64, Int64)
    /// Whole numbers of 64 bits that are stored as floating-point ones.
    case exactReals
  }

  /// Those of a mapping whose objects are made without a policy's code and of whole rows.
  static func all(of mapping: BoundEntityMapping) -> [NarrowedNumber] {
    guard mapping.mapping.policy == nil, mapping.elements == nil, mapping.destination != nil else {
      return []
    }
    return mapping.attributes.compactMap { bound in
      guard let read = mapping.copiedAttribute(of: bound),
        bound.value.keyPaths.allSatisfy(\.relationships.isEmpty),
        let limits = limits(from: read.type, to: bound.attribute.type)
      else { return nil }
      return NarrowedNumber(
        source: read.name, destination: bound.attribute.name, limits: limits)
    }
  }

  private static func limits(from old: AttributeType, to new: AttributeType) -> Limits? {
    let isReal = [.decimal, .double, .float].contains(old)
    switch (old, new) {
    case (.integer32, .integer16), (.integer64, .integer16):
      return .integers(Int64(Int16.min), Int64(Int16.max))
    case (_, .integer16) where isReal: return .integers(Int64(Int16.min), Int64(Int16.max))
    case (.integer64, .integer32): return .integers(Int64(Int32.min), Int64(Int32.max))
    case (_, .integer32) where isReal: return .integers(Int64(Int32.min), Int64(Int32.max))
    case (_, .integer64) where isReal: return .integers(.min, .max)
    case (.integer64, .double), (.integer64, .float): return .exactReals
    default: return nil
    }
  }

  /// Whether a number does not fit, as ``count(of:)`` has it.
  var test: ValueTest {
    switch limits {
    case .integers(let smallest, let largest): .isOutside(smallest, largest)
    case .exactReals: .isInexactReal
    }
  }

  /// The SQL that counts, over the rows of a table, the numbers in a column that do not fit. Fractions are
  /// cut off as Core Data's setters do, and are not counted.
  func count(of column: String) -> String {
    switch limits {
    case .integers(let smallest, let largest):
      // A real number at the limit of 64 bits is one above it.
      let above =
        largest == .max
        ? "typeof(\(column)) = 'real' AND \(column) >= 9223372036854775808.0"
        : "\(column) >= \(largest + 1)"
      return "sum(typeof(\(column)) IN ('integer', 'real') AND "
        + "(\(column) < \(smallest == .min ? "-9223372036854775808.0" : "\(smallest)") OR \(above)))"
    case .exactReals:
      // SQLite makes the largest integer of a number that is too large for any.
      return "sum(typeof(\(column)) = 'integer' AND (\(column) = \(Int64.max) "
        + "OR CAST(CAST(\(column) AS REAL) AS INTEGER) <> \(column)))"
    }
  }
}
