/// The functions of the expression language that SQLite does not have.
package enum ExpressionFunctions {
  /// All functions, to be registered on one connection. The functions of one list share their
  /// compiled regular expressions, so a connection keeps its list.
  package static var all: [ExpressionFunction] {
    let patterns = PatternCache()
    return BuiltInFunction.allCases.map { function in
      ExpressionFunction(
        name: function.rawValue, argumentCount: function.argumentCount, isDeterministic: true
      ) { try function.evaluate($0, patterns) }
    } + FunctionLibrary.standard.sqlFunctions
  }

  /// The name in SQL of the exact sum of numbers, rounded once; 0 of none.
  package static let sum = AggregateFunction.sum.rawValue
  /// The name in SQL of the exact sum divided by the number of values, with nil as 0.
  package static let average = AggregateFunction.average.rawValue

  /// All aggregate functions, to be registered in the same way.
  package static var aggregates: [ExpressionAggregate] {
    AggregateFunction.allCases.filter { !$0.isNative }.map { ExpressionAggregate($0) }
  }
}
