/// A function from a collection of values to one value: one of NSExpression's functions of
/// collections, or a collection operator of key-value coding. The raw value is the name in SQL.
///
/// The result does not depend on the order of the values, which SQL does not guarantee: sums are
/// exact and rounded only once, at the end.
enum AggregateFunction: String, Sendable, CaseIterable {
  /// The sum, ignoring nil and values that are not numbers; 0 for an empty collection.
  case sum = "passage_sum"
  /// The sum divided by the number of elements. As for `@avg` (Key-Value Coding Programming Guide,
  /// "Aggregation Operators"), nil counts as 0; nil for an empty collection.
  case average = "passage_average"
  /// The smallest value that is not nil; nil if there is none. SQLite's own function.
  case minimum = "min"
  /// The largest value that is not nil; nil if there is none. SQLite's own function.
  case maximum = "max"
  /// The middle number, or the mean of the two middle ones; nil if there is none.
  case median = "passage_median"
  /// The most frequent value, the smallest if there are several; nil if there is none.
  case mode = "passage_mode"
  /// The standard deviation of all numbers as a whole population; nil if there is none.
  case standardDeviation = "passage_stddev"
  /// All texts in the order of their code units, as one value that ``TextList`` reads; nil is left
  /// out.
  case texts = "passage_texts"

  /// Whether it only accepts numbers.
  var takesNumbers: Bool {
    switch self {
    case .minimum, .maximum, .mode, .texts: false
    default: true
    }
  }

  /// Whether duplicate elements do not change the result.
  var isSameForSets: Bool { self == .minimum || self == .maximum }

  /// Whether it is SQLite's own function.
  var isNative: Bool { self == .minimum || self == .maximum }

  /// The functions by the names of NSExpression's functions.
  static let functions: [String: AggregateFunction] = [
    "sum:": .sum, "average:": .average, "min:": .minimum, "max:": .maximum, "median:": .median,
    "mode:": .mode, "stddev:": .standardDeviation,
  ]

  /// The functions by the names of collection operators, without the at sign.
  static let operators: [String: AggregateFunction] = [
    "sum": .sum, "avg": .average, "min": .minimum, "max": .maximum,
  ]
}
