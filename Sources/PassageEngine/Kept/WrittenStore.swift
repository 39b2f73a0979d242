internal import PassageFiles
package import PassageStores

/// Whether a store was written since Passage put it in place.
///
/// Passage gives the file of a store the time of its last record. Whoever writes to it later, or
/// copies it without its times, changes that; a log beside it contains what was written and is not
/// in the file yet.
package enum WrittenStore: Sendable, Hashable {
  /// It is as it was put in place.
  case unchanged
  case written
  /// It has no record: it was not made by Passage, or by a version that gave it no time.
  case unknown

  /// - Throws: `StoreError` when the store cannot be read.
  package init(_ store: StoreUnit, _ metadata: StoreMetadata) throws {
    guard let seconds = metadata.lastRecordSeconds else {
      self = .unknown
      return
    }
    let fingerprint = try StoreFingerprint(path: store.path)
    let recorded = StoreMetadata.modifiedNanoseconds(ofRecord: seconds)
    // Some file systems keep whole seconds.
    let times = [recorded, recorded / 1_000_000_000 * 1_000_000_000]
    self =
      fingerprint.walBytes == 0 && times.contains(fingerprint.modifiedNanoseconds)
      ? .unchanged : .written
  }
}
