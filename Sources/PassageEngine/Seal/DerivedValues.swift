internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageModels
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
  ///
  /// - Throws: `RUN-042` when a value cannot be computed.
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
      do {
        try RowPatch(connection: connection).set(
          [(attribute.columnName, attribute.value)], in: attribute.tableName,
          as: DerivedAttributeLayout.row, where: attribute.isOutdated,
          attribute.takesTime ? [.real(now)] : [])
      } catch let error as SQLiteError where error.isStatementError {
        throw try MigrationError(.policyFailed, refusal(of: attribute, error))
      }
    }
  }

  private func refusal(
    of attribute: DerivedAttributeLayout, _ error: SQLiteError
  ) throws -> Diagnostic {
    let derivation = attribute.derivation
    let path = (derivation.path + [derivation.collection, derivation.attribute].compactMap(\.self))
      .joined(separator: ".")
    let isSum = derivation.function == .sum
    let object = try firstKey(refusing: attribute).map { " for the object with key \($0)" } ?? ""
    return Diagnostic(
      "RUN-042",
      "the derived attribute “\(attribute.entityName).\(attribute.attributeName)” cannot be computed"
        + object,
      reason: isSum
        ? "the sum of the whole numbers of “\(path)” does not fit into 64 bits" : error.message,
      // SQLite adds whole numbers up as such, whatever type the sum has.
      remedy: isSum
        ? "make the attribute and “\(path)” a double, or derive the average, minimum or maximum"
        : "derive it in another way, or compute it in the app")
  }

  /// The key of the first object whose value cannot be computed.
  private func firstKey(refusing attribute: DerivedAttributeLayout) throws -> Int64? {
    let table = "main.\(attribute.tableName.quotedIdentifier)"
    let row = DerivedAttributeLayout.row
    let keys = try connection.prepare("SELECT Z_PK FROM \(table) ORDER BY Z_PK")
    let value = try connection.prepare(
      "SELECT 1 FROM \(table) AS \(row) WHERE \(row).Z_PK = ? AND \(attribute.isOutdated)")
    while try keys.step() {
      let key = keys.integer(at: 0)
      do throws(SQLiteError) {
        try value.bind(key, at: 1)
        try value.run()
      } catch {
        guard error.isStatementError else { throw error }
        return key
      }
    }
    return nil
  }
}
