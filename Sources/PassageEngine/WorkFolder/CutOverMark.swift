internal import PassageStores
internal import PassagePlatform

/// A file in the work folder that exists during a cut-over in place: it says which store replaces
/// which.
///
/// It applies only to these two files. If another store is at the path, a kept store beside it does
/// not belong to an interrupted run and is never touched.
struct CutOverMark: Codable, Hashable {
  /// The inode number of the old store's file.
  var oldFile: UInt64
  /// The fingerprint of the old store as it was read.
  var old: String
  /// The fingerprint of the old store after its log was folded in; written when it is kept as a
  /// copy.
  var folded: String?
  /// The fingerprint of the finished store.
  var new: String
  /// The name under which the old store is kept; `nil` when it is not kept.
  var backup: String?

  init(old: StoreFingerprint, new: StoreFingerprint, backup: String?) {
    oldFile = old.inode
    self.old = "\(old)"
    self.new = "\(new)"
    self.backup = backup.map { StoreUnit(path: $0).name }
  }

  /// Whether the store at a path is the old store of this mark, not yet replaced and unchanged.
  func isOfOldStore(at path: String) -> Bool {
    guard let found = try? StoreFingerprint(path: path) else { return false }
    return ["\(found)"].contains { $0 == old || $0 == folded }
  }
}
