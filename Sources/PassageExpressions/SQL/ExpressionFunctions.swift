/// The functions of the expression language that SQLite does not have itself.
package enum ExpressionFunctions {
  /// Every function, to be registered on one connection. The functions of one list share the
  /// regular expressions they have compiled, so a connection keeps the list it was given.
  package static var all: [ExpressionFunction] {
    let patterns = PatternCache()
    return BuiltInFunction.allCases.map { function in
      ExpressionFunction(
        name: function.rawValue, argumentCount: function.argumentCount, isDeterministic: true
      ) { try function.evaluate($0, patterns) }
    } + FunctionLibrary.standard.sqlFunctions
  }

  /// Every function over groups, to be registered in the same way.
  package static var aggregates: [ExpressionAggregate] {
    AggregateFunction.allCases.filter { !$0.isNative }.map { ExpressionAggregate($0) }
  }
}
