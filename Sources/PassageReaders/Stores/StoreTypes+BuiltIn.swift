internal import PassageAtomicStores
public import PassageStores
internal import PassageTableStores

extension StoreTypes {
  /// All types that Passage has: plain tables, delimited text, keyed records, JSON lines, Core
  /// Data's XML.
  ///
  /// - Parameters:
  ///   - maximumFileBytes: the largest text file that is accepted. By default 512 MiB for a type
  ///     that loads the file as a whole, and no limit for a type that reads it record by record.
  ///   - memoryBytes: the memory that loading a file as a whole may take, by default 512 MiB.
  public static func builtIn(
    maximumFileBytes: Int? = nil, memoryBytes: Int? = nil
  ) -> StoreTypes {
    StoreTypes(
      [
        TableStoreType(),
        XMLStoreType(maximumBytes: maximumFileBytes ?? AtomicStore.File.maximumBytes),
        KeyedRecordsStoreType(maximumBytes: maximumFileBytes),
        JSONLinesStoreType(maximumBytes: maximumFileBytes),
        DelimitedTextStoreType(maximumBytes: maximumFileBytes),
      ], memoryBytes: memoryBytes)
  }

  /// All types that Passage has, with default limits.
  public static var builtIn: StoreTypes { builtIn() }
}
