package import PassageExpressions
package import PassageSQLite
internal import PassageValues

extension Connection {
  /// Makes the functions that translated predicates and expressions call known to statements of this
  /// connection, those of a library too.
  package func registerExpressionFunctions(_ library: FunctionLibrary) throws(SQLiteError) {
    for function in ExpressionFunctions.all + library.registeredSQLFunctions {
      try register(
        SQLFunction(
          name: function.name, argumentCount: Int32(function.argumentCount),
          isDeterministic: function.isDeterministic, evaluate: function.evaluate))
    }
    for aggregate in ExpressionFunctions.aggregates {
      try register(SQLAggregate(name: aggregate.name) { AggregateState(aggregate.begin()) })
    }
  }
}

/// A group of rows in SQL, counted by the expression language.
private final class AggregateState: SQLAggregate.State {
  private var state: ExpressionAggregate.State

  init(_ state: ExpressionAggregate.State) { self.state = state }

  func add(_ value: Value) { state.add(value) }

  func result() -> Value { state.result() }
}
