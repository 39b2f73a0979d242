public import PassageModels
public import PassageStores

/// A type of store that is loaded whole from a file and saved whole: what a subclass of Core Data's
/// `NSAtomicStore` is.
///
/// A type says how bytes become objects and objects bytes. Everything else comes with the protocol:
/// such a store is a source and a destination of migrations, its reference objects become keys, its
/// relationships are completed from either side, and a ``AtomicStore`` works with it in memory. Memory
/// is bounded by the file.
///
/// ```swift
/// struct PairsType: AtomicStoreType { … }
/// var options = MigrationOptions()
/// options.storeTypes.all.append(PairsType())
/// ```
public protocol AtomicStoreType: StoreType {
  /// The longest file that is loaded.
  var maximumBytes: Int { get }

  /// About how much memory loading a file takes, at most; asked before it is loaded.
  func memoryNeeded(fileBytes: Int) -> Int

  /// The model that the file itself declares.
  ///
  /// - Throws: `Diagnostics` where it declares none.
  func declaredModel(_ file: AtomicStore.File) throws -> Model

  /// Loads all objects.
  ///
  /// - Parameters:
  ///   - file: never empty: a zero-length file is an empty store.
  ///   - model: its entities and properties give the names that must be in the file.
  /// - Returns: the objects; records that are not objects are among ``AtomicStore/Contents/rejected``, all of them.
  /// - Throws: `Diagnostics` when the file as a whole cannot be read as this model: its syntax, or
  ///   names that the model does not have.
  func load(_ file: AtomicStore.File, as model: Model) throws -> AtomicStore.Contents

  /// Saves all objects.
  ///
  /// - Parameters:
  ///   - contents: every link of every relationship in ``CacheNode/links``, from both sides, and
  ///     leading to existing objects.
  ///   - model: the model of the objects.
  ///   - path: where the file is going to be, for what may be beside it; it must not be written.
  ///   - options: how values are written.
  /// - Returns: the bytes of the file.
  /// - Throws: `Diagnostics` with every value that the type cannot hold (`ATM-015`, `ATM-016`).
  func save(
    _ contents: AtomicStore.Contents, of model: Model, to path: String, options: StoreWritingOptions
  ) throws -> [UInt8]
}
