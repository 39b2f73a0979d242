package import PassageExpressions
package import PassageSQLite
internal import PassageValues

extension Connection {
  /// Registers the functions that translated predicates and expressions call, including those of a
  /// library, with this connection.
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

/// The state of an aggregate over a group of rows in SQL, computed by the expression language.
private final class AggregateState: SQLAggregate.State {
  private var state: ExpressionAggregate.State

  init(_ state: ExpressionAggregate.State) { self.state = state }

  func add(_ value: Value) { state.add(value) }

  func result() -> Value { state.result() }
}
