internal import PassageDiagnostics
internal import PassageFiles
public import PassageModels
public import PassageStores

extension AtomicStoreType {
  /// 24 times the size of the file.
  public func memoryNeeded(fileBytes: Int) -> Int {
    let (bytes, overflow) = fileBytes.multipliedReportingOverflow(by: 24)
    return overflow ? .max : bytes
  }

  /// The type with a memory limit: a file that would need more is refused before it is loaded.
  public func bounded(byMemory bytes: Int) -> any StoreType {
    BoundedAtomicType(base: self, memoryBytes: bytes)
  }

  /// 512 MiB.
  public var maximumBytes: Int { AtomicStore.File.maximumBytes }

  /// The model that the file declares.
  public func model(path: String) throws -> Model {
    try declaredModel(AtomicStore.File(reading: path, maximumBytes: maximumBytes))
  }

  /// Loads the file.
  ///
  /// - Throws: the errors of ``load(_:as:)``. Records that are not objects are reported when they
  ///   are read.
  public func open(path: String, as model: Model) throws -> any ForeignStore {
    AtomicForeignStore(
      contents: try contents(path: path, as: model), path: path, model: model)
  }

  /// Saves the objects of a finished store.
  public func write(
    _ objects: StoredObjects, to path: String, options: StoredObjects.WritingOptions
  ) throws {
    let contents = try StoredContents(objects).read()
    let bytes = try save(
      contents, of: objects.model, to: options.destinationPath ?? path, options: options)
    // The file is not in place yet, and whoever puts it there needs it complete, so a warning is an
    // error here.
    let warnings = try AtomicReplacement.write(bytes, to: path)
    if let warning = warnings.all.first {
      throw StoreError(.inputOutput, path: path, detail: warning.reason)
    }
  }

  /// The contents of a file, which may be empty.
  func contents(path: String, as model: Model) throws -> AtomicStore.Contents {
    let file = try AtomicStore.File(reading: path, maximumBytes: maximumBytes)
    return file.isReserved ? AtomicStore.Contents() : try load(file, as: model)
  }
}

/// Replaces a file so that at every moment either the old or the new one is complete.
enum AtomicReplacement {
  /// Writes a temporary file, syncs it, renames it, and syncs the folder.
  ///
  /// - Returns: `RUN-053` if the folder could not be synced after the rename.
  /// - Throws: if the new file is not in place; the old file, if any, is then unchanged.
  static func write(
    _ bytes: [UInt8], to path: String, files: FileSystem = FileSystem()
  ) throws(StoreError) -> Diagnostics {
    do {
      try files.write(bytes, to: path, keepsPermissions: true)
    } catch let failure as FileSystem.Failure {
      throw StoreError(failure, path: path)
    } catch {
      throw StoreError(.failed, path: path, detail: "\(error)")
    }
    return StoreUnit(path: path).synchronizePlacedName(files)
  }
}
