internal import PassageFiles
internal import PassageDiagnostics
public import PassageModels
public import PassageStores

extension AtomicStoreType {
  /// 24 times the file.
  public func memoryNeeded(fileBytes: Int) -> Int {
    let (bytes, overflow) = fileBytes.multipliedReportingOverflow(by: 24)
    return overflow ? .max : bytes
  }

  /// The type with its memory bounded: a file that would take more is refused before it is loaded.
  public func bounded(byMemory bytes: Int) -> any StoreType {
    BoundedAtomicType(base: self, memoryBytes: bytes)
  }

  /// 512 MiB.
  public var maximumBytes: Int { AtomicStore.File.maximumBytes }

  /// The model the file declares.
  public func model(path: String) throws -> Model {
    try declaredModel(AtomicStore.File(reading: path, maximumBytes: maximumBytes))
  }

  /// Loads the file.
  ///
  /// - Throws: what ``load(_:as:)`` throws; records that are no objects are reported when they are read.
  public func open(path: String, as model: Model) throws -> any ForeignStore {
    AtomicForeignStore(
      contents: try contents(path: path, as: model), path: path, model: model)
  }

  /// Saves the objects of a finished store.
  public func write(
    _ objects: StoredObjects, to path: String, options: StoreWritingOptions
  ) throws {
    let contents = try StoredContents(objects).read()
    let bytes = try save(
      contents, of: objects.model, to: options.destinationPath ?? path, options: options)
    // Here the file is not in its place yet: whoever puts it there needs it whole.
    let warnings = try AtomicReplacement.write(bytes, to: path)
    if let warning = warnings.all.first {
      throw StoreError(.inputOutput, path: path, detail: warning.reason)
    }
  }

  /// What is in a file, which may be a zero-length one.
  func contents(path: String, as model: Model) throws -> AtomicStore.Contents {
    let file = try AtomicStore.File(reading: path, maximumBytes: maximumBytes)
    return file.isReserved ? AtomicStore.Contents() : try load(file, as: model)
  }
}

/// Replaces a file so that at each instant either the old or the new one is whole.
enum AtomicReplacement {
  /// Writes under another name, syncs, renames, syncs the folder.
  ///
  /// - Returns: what failed when the new file was in its place already: `RUN-053`.
  /// - Throws: where the old file, or none, is still there.
  static func write(
    _ bytes: [UInt8], to path: String, files: FileSystem = FileSystem()
  ) throws(StoreError) -> Diagnostics {
    let temporary = path + ".new"
    do {
      if try files.exists(path) {
        try files.makeFile(temporary)
        try files.copyPermissions(of: path, to: temporary)
      }
      try files.write(bytes, to: path)
    } catch let failure as FileSystem.Failure {
      try? files.remove(temporary)
      throw StoreError(failure, path: path)
    } catch {
      throw StoreError(.failed, path: path, detail: "\(error)")
    }
    return StoreUnit(path: path).synchronizePlacedName(files)
  }
}
