package import PassageModels

extension StoreLayout {
  /// Creates the layout of a store of `model`.
  ///
  /// - Complexity: O(p log p) for p properties, where an inherited property counts for each
  ///   descendant.
  package init(model: Model) {
    var builder = StoreLayoutBuilder(model: model)
    self = builder.build()
  }
}
