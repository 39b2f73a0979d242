import PassageValues

/// A function from a collection of values to one value: NSExpression's functions of collections, and
/// the collection operators of key-value coding. The raw value is the name in SQL.
///
/// The result does not depend on the order of the values, which SQL does not promise: sums are exact
/// until they are rounded once, at the end.
enum AggregateFunction: String, Sendable, CaseIterable {
  /// The sum; nil and what is not a number count as nothing; 0 for an empty collection.
  case sum = "passage_sum"
  /// The sum through the number of elements. As for `@avg` (Key-Value Coding Programming Guide,
  /// "Aggregation Operators"), nil counts as 0; nil for an empty collection.
  case average = "passage_average"
  /// The smallest value but nil; nil when there is none. SQLite's own.
  case minimum = "min"
  /// The largest value but nil; nil when there is none. SQLite's own.
  case maximum = "max"
  /// The middle number, or the mean of the two middle ones; nil when there is none.
  case median = "passage_median"
  /// The value met most often; the smallest of several; nil when there is none.
  case mode = "passage_mode"
  /// The standard deviation of the numbers as a whole population; nil when there is none.
  case standardDeviation = "passage_stddev"

  /// Whether it is about numbers only.
  var takesNumbers: Bool {
    switch self {
    case .minimum, .maximum, .mode: false
    default: true
    }
  }

  /// Whether it gives the same for a collection and for the set of its elements.
  var isSameForSets: Bool { self == .minimum || self == .maximum }

  /// Whether SQLite has it itself.
  var isNative: Bool { self == .minimum || self == .maximum }

  /// By the names of NSExpression's functions.
  static let functions: [String: AggregateFunction] = [
    "sum:": .sum, "average:": .average, "min:": .minimum, "max:": .maximum, "median:": .median,
    "mode:": .mode, "stddev:": .standardDeviation,
  ]

  /// By the names of the collection operators, without their sign.
  static let operators: [String: AggregateFunction] = [
    "sum": .sum, "avg": .average, "min": .minimum, "max": .maximum,
  ]
}
