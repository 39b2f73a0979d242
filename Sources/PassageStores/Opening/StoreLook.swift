internal import PassageFiles

/// What is seen of a store without SQLite: its header, and the sizes of its files.
package struct StoreLook: Sendable {
  let header: DatabaseHeader
  /// Of the main file, from before its header was read.
  let status: FileSystem.Status
  /// Of the log; `nil` if there is none.
  let log: FileSystem.Status?
  /// Whether all files beside the store are empty or missing. A program that has a store in WAL mode
  /// open has created its log.
  package let isAlone: Bool
  /// Whether no file of SQLite is beside the store.
  let isSingle: Bool

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
