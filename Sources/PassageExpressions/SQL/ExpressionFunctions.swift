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

  /// All aggregate functions, to be registered in the same way.
  package static var aggregates: [ExpressionAggregate] {
    AggregateFunction.allCases.filter { !$0.isNative }.map { ExpressionAggregate($0) }
  }
}
