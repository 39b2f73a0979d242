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
    case integers(ClosedRange<Int64>)
    /// Whole numbers of 64 bits that are stored as floating-point ones.
    case exactReals
  }

  /// Those of a mapping whose objects are made without a policy's code and of whole rows.
  ///
  /// - Parameter computed: what is counted where it is written.
  static func all(
    of mapping: BoundEntityMapping, except computed: ComputedNumbers
  ) -> [NarrowedNumber] {
    guard copiesRows(mapping), let destination = mapping.destination else { return [] }
    return mapping.attributes.compactMap { bound in
      guard let read = copiedAttribute(of: bound, in: mapping),
        let limits = limits(from: read.type, to: bound.attribute.type),
        !computed.contains(bound.attribute, of: destination)
      else { return nil }
      return NarrowedNumber(
        source: read.name, destination: bound.attribute.name, limits: limits)
    }
  }

  /// Whether an attribute of a mapping that copies one of the object itself is counted in the source.
  static func isCountedInSource(_ bound: BoundAttribute, of mapping: BoundEntityMapping) -> Bool {
    // Of objects that become one, not all keep their numbers.
    copiesRows(mapping) && mapping.merge == nil
      && copiedAttribute(of: bound, in: mapping) != nil
  }

  private static func copiesRows(_ mapping: BoundEntityMapping) -> Bool {
    mapping.mapping.policy == nil && mapping.elements == nil
  }

  private static func copiedAttribute(
    of bound: BoundAttribute, in mapping: BoundEntityMapping
  ) -> Attribute? {
    bound.value.keyPaths.allSatisfy(\.relationships.isEmpty)
      ? mapping.copiedAttribute(of: bound) : nil
  }

  private static func limits(from old: AttributeType, to new: AttributeType) -> Limits? {
    switch (old, new) {
    case (.integer64, .double), (.integer64, .float): return .exactReals
    case (.integer32, _), (.integer64, _), (.decimal, _), (.double, _), (.float, _):
      guard let numbers = new.wholeNumbers, old.wholeNumbers.map(numbers.contains) != true else {
        return nil
      }
      return .integers(numbers)
    default: return nil
    }
  }

  /// Whether a number does not fit, as ``count(of:)`` has it.
  var test: ValueTest {
    switch limits {
    case .integers(let numbers): .isOutside(numbers.lowerBound, numbers.upperBound)
    case .exactReals: .isInexactReal
    }
  }

  /// The SQL that counts, over the rows of a table, the numbers in a column that do not fit. Fractions are
  /// cut off as Core Data's setters do, and are not counted.
  func count(of column: String) -> String {
    switch limits {
    case .integers(let numbers): return Self.count(of: column, outside: numbers)
    case .exactReals:
      // SQLite makes the largest integer of a number that is too large for any.
      return "sum(typeof(\(column)) = 'integer' AND (\(column) = \(Int64.max) "
        + "OR CAST(CAST(\(column) AS REAL) AS INTEGER) <> \(column)))"
    }
  }

  /// The SQL that counts, over the rows of a table, the numbers in a column that are not among others.
  static func count(of column: String, outside numbers: ClosedRange<Int64>) -> String {
    let (smallest, largest) = (numbers.lowerBound, numbers.upperBound)
    // A real number at the limit of 64 bits is one above it.
    let above =
      largest == .max
      ? "typeof(\(column)) = 'real' AND \(column) >= 9223372036854775808.0"
      : "\(column) >= \(largest + 1)"
    return "sum(typeof(\(column)) IN ('integer', 'real') AND "
      + "(\(column) < \(smallest == .min ? "-9223372036854775808.0" : "\(smallest)") OR \(above)))"
  }
}
