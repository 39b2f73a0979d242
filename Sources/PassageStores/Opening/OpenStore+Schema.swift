package import PassageModels

extension OpenStore {
  /// The tables of the store.
  package var schema: StoreSchema { facts.schema }

  /// The layout of the store for the model it was written with: predicted from the model, and
  /// adapted to the tables that the store has.
  ///
  /// - Parameter predicted: the layout of the model; `nil` to predict it.
  /// - Throws: ``StoreError`` of kind `layoutMismatch` if a table or column is missing,
  ///   `generatedColumn` if a column would be computed.
  package func layout(
    of model: Model, predicted: StoreLayout? = nil
  ) throws(StoreError) -> StoreLayout {
    if let known = knownLayouts.first(where: {
      $0.model.name == model.name && $0.model.versionHashes == model.versionHashes
    }) {
      return known.layout
    }
    let layout = try (predicted ?? StoreLayout(model: model)).fitted(
      to: schema, path: unit.path)
    try code.refuseGeneratedColumns(
      ofTables: layout.tables.map(\.name) + layout.joinTables.map(\.name), path: unit.path)
    knownLayouts.append((model, layout))
    return layout
  }
}
