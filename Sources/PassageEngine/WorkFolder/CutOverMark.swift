internal import PassagePlatform
package import PassageStores

/// A file in the work folder that exists during a cut-over in place: it says which store replaces
/// which.
///
/// It applies only to these two files. If another store is at the path, a kept store beside it does
/// not belong to an interrupted run and is never touched.
package struct CutOverMark: Codable, Hashable {
  /// The inode number of the old store's file.
  var oldFile: UInt64
  /// The fingerprint of the old store as it was read.
  var old: String
  /// The fingerprint of the old store after its log was folded in; written when it is kept as a
  /// copy.
  var folded: String?
  /// The fingerprint of the finished store.
  var new: String
  /// The name under which the old store is kept beside the new one, or its path in another folder;
  /// `nil` when it is not kept.
  var backup: String?
  /// The number of transactions that the old store's file has after its log was folded in, if the
  /// store had not been written since it was put in place.
  var unwrittenCounter: UInt32?

  /// - Parameter backup: see ``name(ofBackup:of:)``.
  init(old: StoreFingerprint, new: StoreFingerprint, backup: String?) {
    oldFile = old.inode
    self.old = "\(old)"
    self.new = "\(new)"
    self.backup = backup
  }

  /// Whether the store with a fingerprint is the old store of this mark, which had not been written
  /// since it was put in place, and was changed by nothing but the folding.
  package func isUnwritten(_ fingerprint: StoreFingerprint) -> Bool {
    guard let unwrittenCounter, fingerprint.inode == oldFile, fingerprint.walBytes == 0 else {
      return false
    }
    return fingerprint.changeCounter == unwrittenCounter
      || fingerprint.changeCounter &+ 1 == unwrittenCounter
  }

  /// How a mark names the store that is kept for another one.
  static func name(ofBackup path: String, of store: StoreUnit) -> String {
    let kept = StoreUnit(path: path)
    return kept.folder == store.folder ? kept.name : path
  }

  /// Whether the store at a path is the old store of this mark, not yet replaced and unchanged.
  func isOfOldStore(at path: String) -> Bool {
    guard let found = try? StoreFingerprint(path: path) else { return false }
    return ["\(found)"].contains { $0 == old || $0 == folded }
  }
}
