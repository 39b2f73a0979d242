public import PassageStores

extension StoreTypes {
  /// Every type that comes with Passage: plain tables, delimited text, keyed records, Core Data's XML.
  ///
  /// - Parameter maximumFileBytes: the longest file that types which load a file whole accept.
  public static func builtIn(
    maximumFileBytes: Int = AtomicFile.maximumBytes
  ) -> StoreTypes {
    StoreTypes([
      TableStoreType(), XMLStoreType(maximumBytes: maximumFileBytes),
      KeyedRecordsStoreType(maximumBytes: maximumFileBytes),
      DelimitedTextStoreType(maximumBytes: maximumFileBytes),
    ])
  }

  /// Every type that comes with Passage.
  public static var builtIn: StoreTypes { builtIn() }
}
