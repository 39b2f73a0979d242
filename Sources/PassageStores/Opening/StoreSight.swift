package import PassageFiles

/// What was seen of a store that nobody has open when its metadata was read from its pages: whoever opens
/// the store next need not look again.
///
/// It keeps the file open. To close it would release the locks that SQLite has on it
/// (https://www.sqlite.org/howtocorrupt.html, section 2.2), so it is taken before the store is opened in
/// another way.
package final class StoreSight {
  struct Seen {
    let unit: StoreUnit
    let look: StoreLook
    let metadata: StoreMetadata
    let file: PositionalFile
  }

  private var seen: Seen?

  init(_ seen: Seen) { self.seen = seen }

  /// The status of the store; `nil` once what was seen was taken, and where a link leads to the store or a
  /// file is beside it.
  package var singleStatus: FileSystem.Status? {
    guard let look = seen?.look, look.isSingle, !look.isLink else { return nil }
    return look.status
  }

  /// What was seen, once: then nothing is open any more but for the one who has it.
  func take() -> Seen? { seen.take() }
}
