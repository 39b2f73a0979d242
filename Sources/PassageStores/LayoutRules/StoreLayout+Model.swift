package import PassageModels

extension StoreLayout {
  /// Lays out a store of `model`.
  ///
  /// - Complexity: O(p log p) for p properties, inherited ones counted for each heir.
  package init(model: Model) {
    var builder = StoreLayoutBuilder(model: model)
    self = builder.build()
  }
}
