internal import PassageStores
internal import PassagePlatform

/// What is in the work folder while a cut-over in place is under way: which store gives way
/// to which.
///
/// It speaks of these two files and of no others. When another store is at the path, a kept store
/// beside it does not belong to an interrupted run, and is never touched.
struct CutOverMark: Codable, Hashable {
  /// The old store's file: its inode number.
  var oldFile: UInt64
  /// The old store as it was read.
  var old: String
  /// The old store with its log folded in; written when it is to be kept as a copy.
  var folded: String?
  /// The finished store.
  var new: String
  /// The name under which the old store is kept; `nil` when none is.
  var backup: String?

  init(old: StoreFingerprint, new: StoreFingerprint, backup: String?) {
    oldFile = old.inode
    self.old = "\(old)"
    self.new = "\(new)"
    self.backup = backup.map { StoreUnit(path: $0).name }
  }

  /// Whether the store at a path is the one that was to give way: it has not given way yet, and nobody
  /// has changed it.
  func isOfOldStore(at path: String) -> Bool {
    guard let found = try? StoreFingerprint(path: path) else { return false }
    return ["\(found)"].contains { $0 == old || $0 == folded }
  }
}
