internal import PassageAtomicStores
public import PassageStores
internal import PassageTableStores

extension StoreTypes {
  /// Every type that comes with Passage: plain tables, delimited text, keyed records, Core Data's XML.
  ///
  /// - Parameters:
  ///   - maximumFileBytes: the longest file of a type of text that is accepted; without it 512 MiB
  ///     where a type loads the file whole, and any where it is read record by record.
  ///   - memoryBytes: what loading a file whole may take; 512 MiB unless said otherwise.
  public static func builtIn(
    maximumFileBytes: Int? = nil, memoryBytes: Int? = nil
  ) -> StoreTypes {
    StoreTypes(
      [
        TableStoreType(),
        XMLStoreType(maximumBytes: maximumFileBytes ?? AtomicStore.File.maximumBytes),
        KeyedRecordsStoreType(maximumBytes: maximumFileBytes),
        DelimitedTextStoreType(maximumBytes: maximumFileBytes),
      ], memoryBytes: memoryBytes)
  }

  /// Every type that comes with Passage.
  public static var builtIn: StoreTypes { builtIn() }
}
