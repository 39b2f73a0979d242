package import PassageValues

/// The rows of the tables that every store has besides those of its model.
package struct BookkeepingRows {
  /// The key, and every cell in the order of the columns, with NULL in the place of the key.
  package typealias Row = (key: Int64, cells: [Value])

  /// By table.
  package let rows: [BookkeepingTable: [Row]]

  /// - Parameters:
  ///   - largestKeys: by the name of the root entity; a root that is missing has assigned no key.
  ///   - model: the model that the store keeps.
  package init(
    _ layout: StoreLayout, largestKeys: [String: Int64], _ metadata: StoreMetadata,
    _ model: ModelArchive
  ) {
    rows = [
      .primaryKeys: Self.primaryKeys(layout, largestKeys), .metadata: [Self.metadata(metadata)],
      .modelCache: Self.model(model).map { [$0] } ?? [],
    ]
  }

  /// The entities' numbers and the largest key of each root entity.
  static func primaryKeys(_ layout: StoreLayout, _ largestKeys: [String: Int64]) -> [Row] {
    layout.entities.map { entity in
      // Keys are assigned for each table, so only its root entity has a count.
      let largest = entity.parentNumber == 0 ? largestKeys[entity.name] ?? 0 : 0
      return (
        Int64(entity.number),
        [.null, .text(entity.name), .integer(Int64(entity.parentNumber)), .integer(largest)]
      )
    }
  }

  /// The store's one row of metadata.
  static func metadata(_ metadata: StoreMetadata) -> Row {
    (1, [.null, .text(metadata.storeUUID), .blob(metadata.propertyListBytes)])
  }

  /// The model that the store keeps. A model that cannot be kept leaves the table empty, as Core Data
  /// does when it has none.
  static func model(_ archive: ModelArchive) -> Row? {
    archive.content.map { (1, [.blob($0)]) }
  }
}
