internal import PassageFiles
internal import PassagePlatform

extension StoreUnit {
  /// The longest path SQLite opens: its own limit of 512 bytes, of which it keeps eight for `-journal`
  /// (`MAX_PATHNAME` in its `os_unix.c`).
  package static let maximumPathBytes = 504

  /// Refuses a name that leaves no room for those that are made of it: of SQLite's own files the longest
  /// ends in `-journal`.
  ///
  /// - Parameters:
  ///   - suffix: what is made beside the store, as a part of its name.
  ///   - deepest: the longest path of a database below what is made beside it.
  /// - Throws: ``StoreError``: `nameTooLong`.
  package func checkName(suffix: String = "-journal", deepest: String = "") throws(StoreError) {
    let limit = pathconf(folder, Int32(_PC_NAME_MAX))
    let bytes = name.utf8.count + suffix.utf8.count
    // Where the folder does not say, whatever fails later says it.
    if limit > 0, bytes > limit {
      throw StoreError(
        .nameTooLong, path: path,
        detail: "with “\(suffix)”, which is made beside it, it has \(bytes) bytes; the file system "
          + "takes \(limit)")
    }
    let files = FileSystem()
    let whole = files.resolved(folder) + "/" + name + deepest
    guard files.entry(folder) != nil, whole.utf8.count > Self.maximumPathBytes else { return }
    throw StoreError(
      .nameTooLong, path: path,
      detail:
        "the path of a database that is made there has \(whole.utf8.count) bytes; SQLite takes "
        + "\(Self.maximumPathBytes)")
  }
}
