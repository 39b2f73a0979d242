package import PassageValues

/// Computes an ``AggregateFunction`` over the values of one collection.
///
/// Sums, averages and extremes need constant memory. A median, a mode and a standard deviation keep
/// all numbers, and a list of texts keeps them up to a limit.
struct Aggregation {
  let function: AggregateFunction
  private var sum = ExactSum()
  private var count: Int64 = 0
  private var extreme = Value.null
  private var values: [Value] = []
  private var texts = TextList()

  init(_ function: AggregateFunction) { self.function = function }

  mutating func add(_ value: Value) {
    switch function {
    case .sum, .average:
      count += 1
      switch value {
      case .integer(let value): sum.add(value)
      case .real(let value): sum.add(value)
      default: break
      }
    case .minimum: take(value) { $0 < 0 }
    case .maximum: take(value) { $0 > 0 }
    case .median, .standardDeviation:
      if value.double != nil, !value.isNothing { values.append(value) }
    case .mode:
      if !value.isNothing { values.append(value) }
    case .texts: texts.add(value)
    }
  }

  private mutating func take(_ value: Value, isBetter: (Int) -> Bool) {
    if value.isNothing { return }
    if extreme.isNothing || isBetter(Value.order(value, extreme)) { extreme = value }
  }

  func result() -> Value {
    switch function {
    case .sum: sum.integer.map { .integer($0) } ?? Arithmetic.number(sum.real)
    case .average: count == 0 ? .null : Arithmetic.number(sum.mean(of: count))
    case .minimum, .maximum: extreme
    case .median: median
    case .mode: mode
    case .standardDeviation: standardDeviation
    case .texts: texts.value
    }
  }

  private var sorted: [Value] { values.sorted { Value.order($0, $1) < 0 } }

  private var median: Value {
    let sorted = sorted
    guard !sorted.isEmpty else { return .null }
    let middle = sorted.count / 2
    if !sorted.count.isMultiple(of: 2) { return sorted[middle] }
    var mean = Aggregation(.average)
    mean.add(sorted[middle - 1])
    mean.add(sorted[middle])
    return mean.result()
  }

  private var mode: Value {
    var best = Value.null
    var bestCount = 0
    var current = Value.null
    var count = 0
    for value in sorted {
      count = count > 0 && Value.isSame(value, current) ? count + 1 : 1
      current = value
      if count > bestCount { (best, bestCount) = (value, count) }
    }
    return best
  }

  private var standardDeviation: Value {
    guard !values.isEmpty else { return .null }
    var mean = Aggregation(.average)
    for value in values { mean.add(value) }
    guard let middle = mean.result().double else { return .null }
    var squares = ExactSum()
    for value in values {
      let distance = (value.double ?? 0) - middle
      squares.add(distance * distance)
    }
    return Arithmetic.number((squares.real / Double(values.count)).squareRoot())
  }
}

/// An aggregate function that translated SQL calls. It must be registered on each connection that
/// runs the SQL.
package struct ExpressionAggregate: Sendable {
  /// The name in SQL. It begins with `passage_`.
  package let name: String
  private let function: AggregateFunction

  init(_ function: AggregateFunction) {
    name = function.rawValue
    self.function = function
  }

  /// Begins a new group.
  package func begin() -> State { State(aggregation: Aggregation(function)) }

  /// The state of a group while its rows are read.
  package struct State {
    var aggregation: Aggregation

    /// Adds the only argument of the next row.
    package mutating func add(_ value: Value) { aggregation.add(value) }

    /// The result of the rows so far.
    package func result() -> Value { aggregation.result() }
  }
}
