internal import PassageFiles
internal import PassagePlatform

extension StoreUnit {
  /// The longest path that SQLite opens: its limit is 512 bytes, of which it reserves eight for
  /// `-journal` (`MAX_PATHNAME` in its `os_unix.c`).
  package static let maximumPathBytes = 504

  /// Refuses a name that is too long for the names derived from it. The longest one SQLite adds
  /// ends in `-journal`.
  ///
  /// - Parameters:
  ///   - suffix: what is appended to the store's name for the files beside it.
  ///   - deepest: the longest path of a database inside the folder created beside the store.
  ///   - isResolved: whether no symbolic link is on the store's path, which is absolute.
  /// - Throws: ``StoreError``: `nameTooLong`.
  package func checkName(
    suffix: String = "-journal", deepest: String = "", isResolved: Bool = false
  ) throws(StoreError) {
    let limit = pathconf(folder, Int32(_PC_NAME_MAX))
    let bytes = name.utf8.count + suffix.utf8.count
    // If the folder reports no limit, the later operation reports its failure.
    if limit > 0, bytes > limit {
      throw StoreError(
        .nameTooLong, path: path,
        detail: "the name of a file beside it, with the suffix “\(suffix)”, has \(bytes) bytes; "
          + "the file system allows \(limit)")
    }
    let files = FileSystem()
    // Where no link leads to the folder, its path is as long as it is.
    let place = isResolved ? folder : files.resolved(folder)
    let whole = place + "/" + name + deepest
    guard whole.utf8.count > Self.maximumPathBytes, files.entry(folder) != nil else { return }
    throw StoreError(
      .nameTooLong, path: path,
      detail:
        "the path of a database that is created there has \(whole.utf8.count) bytes; SQLite allows "
        + "\(Self.maximumPathBytes)")
  }
}
