internal import PassageDiagnostics
internal import PassageFiles
internal import PassageStores

extension KeptStores {
  /// Refuses a number of stores that cannot remain (`RUN-093`): none would.
  static func check(limit count: Int) throws {
    guard count < 0 else { return }
    throw Diagnostics([
      Diagnostic(
        "RUN-093", "\(count) kept stores cannot remain", remedy: "give a number of at least 0")
    ])
  }

  /// Removes kept stores, the oldest first.
  ///
  /// Only stores with the UUID of the store are removed. Their folder of external values is removed
  /// with the last store that uses it.
  ///
  /// - Parameters:
  ///   - count: how many remain, those that were written last.
  ///   - reason: of which stores; `nil` for both.
  ///   - storeUUID: the UUID of the store.
  ///   - spared: the path of a store that remains in any case.
  ///   - isRehearsal: whether nothing is removed.
  /// - Returns: the removed stores.
  /// - Throws: `RUN-093` for a number below 0, before anything is removed.
  package func prune(
    keeping count: Int, reason: KeptStore.Reason? = nil, storeUUID: String,
    sparing spared: String? = nil, isRehearsal: Bool = false
  ) throws -> [KeptStore] {
    try Self.check(limit: count)
    let own = try all(storeUUID: storeUUID).filter {
      $0.obstacle == nil && (reason == nil || $0.reason == reason)
    }
    let superfluous = Array(own.dropFirst(count).reversed()).filter { $0.path != spared }
    if isRehearsal { return superfluous }
    for kept in superfluous { try remove(StoreUnit(path: kept.path)) }
    if !superfluous.isEmpty { try files.synchronizeDirectory(folder) }
    return superfluous
  }

  /// Removes a unit. The main file goes first: what remains of an interrupted removal is no store.
  private func remove(_ unit: StoreUnit) throws {
    let logs = unit.sidecarPaths.filter { !Self.isDatabase($0) }
    for path in [unit.path] + logs { try files.remove(path) }
    guard files.entry(unit.supportPath)?.kind == .directory, try !isUsed(unit.supportPath) else {
      return
    }
    try files.removeDirectory(unit.supportPath)
  }

  /// Whether a file of the folder would have its external values in a folder.
  private func isUsed(_ supportPath: String) throws -> Bool {
    try FileSystem.names(in: folder).contains { name in
      let unit = StoreUnit(path: path(name))
      return unit.supportPath == supportPath && files.entry(unit.path)?.kind == .file
    }
  }
}
