public import PassageDiagnostics
package import PassageFiles
internal import PassageStores

extension AtomicStore {
  /// Replaces the objects in memory with every object of the file. A missing or empty file is an
  /// empty store.
  ///
  /// - Throws: `StoreError` for a file that cannot be read, `Diagnostics` with every mistake in it.
  ///   The objects in memory then stay as they were.
  public func load() throws {
    guard let location else { return }
    var loaded = AtomicStore.Contents()
    if try FileSystem().exists(location) { loaded = try type.contents(path: location, as: model) }
    let graph = ObjectGraph(loaded, model: model, path: location)
    try graph.mistakes.throwIfErrors()
    replaceAll(
      with: graph.completedNodes, storeUUID: loaded.storeUUID, metadata: loaded.metadata)
  }

  /// Saves every object, replacing the file atomically. A store without location only keeps its
  /// objects in memory.
  ///
  /// - Throws: `Diagnostics` with every link to a missing object and every value that the type
  ///   cannot hold, `StoreError` if the file cannot be written. The file is then unchanged.
  /// - Returns: `RUN-053` if the new file is in place but its name may not survive a power failure.
  @discardableResult
  public func save() throws -> Diagnostics { try save(FileSystem()) }

  package func save(_ files: FileSystem) throws -> Diagnostics {
    let graph = ObjectGraph(
      AtomicStore.Contents(nodes: cacheNodes, storeUUID: storeUUID, metadata: metadata),
      model: model,
      path: location ?? "memory")
    try graph.mistakes.throwIfErrors()
    guard let location else { return Diagnostics() }
    let bytes = try type.save(
      AtomicStore.Contents(nodes: graph.completedNodes, storeUUID: storeUUID, metadata: metadata),
      of: model, to: location, options: StoredObjects.WritingOptions())
    return try AtomicReplacement.write(bytes, to: location, files: files)
  }
}
