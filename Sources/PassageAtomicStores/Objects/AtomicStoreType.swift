public import PassageModels
public import PassageStores

/// A type of store that is loaded and saved as a whole, like a subclass of Core Data's
/// `NSAtomicStore`.
///
/// A type converts bytes to objects and objects to bytes. The protocol adds everything else: the
/// store can be the source or destination of a migration, reference objects become keys,
/// relationships are completed from either side, and an ``AtomicStore`` uses it in memory. The
/// memory needed depends on the size of the file.
///
/// ```swift
/// struct PairsType: AtomicStoreType { … }
/// var options = MigrationOptions()
/// options.storeTypes.all.append(PairsType())
/// ```
public protocol AtomicStoreType: StoreType {
  /// The largest file that is loaded, in bytes.
  var maximumBytes: Int { get }

  /// An upper estimate of the memory in bytes that loading a file takes. Called before the file is
  /// loaded.
  func memoryNeeded(fileBytes: Int) -> Int

  /// The model that the file itself declares.
  ///
  /// - Throws: `Diagnostics` if it declares none.
  func declaredModel(_ file: AtomicStore.File) throws -> Model

  /// Loads all objects.
  ///
  /// - Parameters:
  ///   - file: the file, which is never empty: an empty file is an empty store.
  ///   - model: the model, whose names of entities and properties must be in the file.
  /// - Returns: the objects, and all records that are not objects in
  ///   ``AtomicStore/Contents/rejected``.
  /// - Throws: `Diagnostics` if the file as a whole cannot be read as this model, because of its
  ///   syntax or of names that the model does not have.
  func load(_ file: AtomicStore.File, as model: Model) throws -> AtomicStore.Contents

  /// Saves all objects.
  ///
  /// - Parameters:
  ///   - contents: the objects, with the links of every relationship in ``CacheNode/links``, from
  ///     both sides, all to existing objects.
  ///   - model: the model of the objects.
  ///   - path: the final path of the file, for types with other files beside it; it must not be
  ///     written.
  ///   - options: how values are written.
  /// - Returns: the contents of the file.
  /// - Throws: `Diagnostics` with every value that the type cannot hold (`ATM-015`, `ATM-016`).
  func save(
    _ contents: AtomicStore.Contents, of model: Model, to path: String,
    options: StoredObjects.WritingOptions
  ) throws -> [UInt8]
}
