internal import PassageFiles

/// What is seen of a store without SQLite: its header, and the sizes of its files.
package struct StoreLook: Sendable {
  let header: DatabaseHeader
  /// Of the main file, from before its header was read.
  let status: FileSystem.Status
  /// The size of the log; 0 if there is none.
  let logBytes: Int64
  /// Whether all files beside the store are empty or missing. A program that has a store in WAL mode
  /// open has created its log.
  package let isAlone: Bool

  /// Whether the store is alone, and nobody has written or replaced it since this look.
  package func isStill(at unit: StoreUnit) -> Bool {
    guard isAlone,
      unit.sidecarPaths.allSatisfy({ ((try? FileSystem.status($0))?.bytes ?? 0) == 0 }),
      (try? FileSystem.status(unit.path)) == status,
      let bytes = try? FileSystem.prefix(unit.path, count: DatabaseHeader.byteCount)
    else { return false }
    return DatabaseHeader(bytes)?.changeCounter == header.changeCounter
  }
}
