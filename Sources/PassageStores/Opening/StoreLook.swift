package import PassageFiles

/// What is seen of a store without SQLite: its header, and the sizes of its files.
package struct StoreLook: Sendable {
  let header: DatabaseHeader
  /// The bytes of the header.
  let start: [UInt8]
  /// Of the main file, from before its header was read.
  let status: FileSystem.Status
  /// Of the log; `nil` if there is none.
  let log: FileSystem.Status?
  /// Whether all files beside the store are empty or missing. A program that has a store in WAL mode
  /// open has created its log.
  package let isAlone: Bool
  /// Whether no file of SQLite is beside the store.
  let isSingle: Bool
  /// Whether a symbolic link leads to the main file.
  let isLink: Bool

  /// Whether the store is alone, and nobody has written or replaced it since this look.
  ///
  /// - Parameter file: the main file, which was looked at.
  package func isStill(at unit: StoreUnit, _ file: PositionalFile) -> Bool {
    guard isAlone,
      unit.sidecarPaths.allSatisfy({ ((try? FileSystem.status($0))?.bytes ?? 0) == 0 }),
      (try? FileSystem.status(unit.path)) == status,
      let bytes = try? file.prefix(DatabaseHeader.byteCount)
    else { return false }
    return DatabaseHeader(bytes)?.changeCounter == header.changeCounter
  }
}
