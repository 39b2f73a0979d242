internal import PassageFiles
internal import PassageSQLite

extension SharedSyncs {
  /// SQLite's syncs wait in a group.
  init(_ group: SyncGroup) {
    self.init(
      synchronize: { group.synchronize(openFile: $0, alone: $1) },
      synchronizeFolder: { group.synchronizeFolder(ofFile: $0) })
  }
}
