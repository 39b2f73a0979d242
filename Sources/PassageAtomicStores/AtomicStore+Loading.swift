package import PassageFiles
public import PassageDiagnostics
internal import PassageStores

extension AtomicStore {
  /// Loads every object of the file in place of those in memory; a file that is missing or has no
  /// bytes is an empty store.
  ///
  /// - Throws: `StoreError` for a file that cannot be read, `Diagnostics` with every mistake in it;
  ///   the objects in memory stay then.
  public func load() throws {
    guard let location else { return }
    var loaded = AtomicStore.Contents()
    if try FileSystem().exists(location) { loaded = try type.contents(path: location, as: model) }
    let graph = ObjectGraph(loaded, model: model, path: location)
    try graph.mistakes.throwIfErrors()
    replaceAll(
      with: graph.completedNodes, storeUUID: loaded.storeUUID, metadata: loaded.metadata)
  }

  /// Saves every object; the file is replaced in one instant. A store without location keeps them in
  /// memory.
  ///
  /// - Throws: `Diagnostics` with every link that leads nowhere and every value that the type cannot
  ///   hold, `StoreError` when the file cannot be written; the file is the old one then.
  /// - Returns: what failed when the new file was in its place: `RUN-053`, where its name may not
  ///   outlast a power failure.
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
      of: model, to: location, options: StoreWritingOptions())
    return try AtomicReplacement.write(bytes, to: location, files: files)
  }
}
