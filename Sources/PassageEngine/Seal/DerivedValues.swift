internal import PassageExpressions
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Computes the derived attributes of an assembled store, as Core Data's triggers would have done
/// when the objects were saved. It uses SQL over whole tables, so both lanes get the same values.
struct DerivedValues {
  let layout: StoreLayout
  let connection: Connection
  /// The value of `now()`, in seconds since 2001.
  let now: Double

  /// Computes every attribute whose derivation is known, each in a transaction of its own.
  func compute(checking control: RunControl) throws {
    guard !layout.derivedAttributes.isEmpty else { return }
    for function in ExpressionFunctions.all
    where DerivedAttributeLayout.functionNames.contains(function.name) {
      try connection.register(
        SQLFunction(
          name: function.name, argumentCount: Int32(function.argumentCount),
          isDeterministic: function.isDeterministic
        ) { arguments in
          // Text that is not valid UTF-8 cannot be converted; Core Data could not read it either.
          (try? function.evaluate(arguments)) ?? .null
        })
    }
    for attribute in layout.derivedAttributes {
      try control.checkCancellation()
      try RowPatch(connection: connection).set(
        [(attribute.columnName, attribute.value)], in: attribute.tableName,
        as: DerivedAttributeLayout.row, where: attribute.isOutdated,
        attribute.takesTime ? [.real(now)] : [])
    }
  }
}
