/// A cache of recently used shared objects, so that most look-ups need no statement.
///
/// It holds a bounded number of short keys; the journal holds all of them.
struct SharedObjects {
  private static let maximumCount = 4_096
  private static let maximumBytes = 200

  private struct Key: Hashable {
    var entity: Int64
    var bytes: [UInt8]

    /// All bytes at once: an array adds them one by one.
    func hash(into hasher: inout Hasher) {
      hasher.combine(entity)
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }

  private var found: [Key: Int64] = [:]

  /// The key of the shared object for these bytes of ``SharedKey``; `nil` when it must be looked up
  /// in the journal.
  func find(_ entity: Int64, _ bytes: [UInt8]) -> Int64? {
    found[Key(entity: entity, bytes: bytes)]
  }

  mutating func remember(_ entity: Int64, _ bytes: [UInt8], _ key: Int64) {
    guard bytes.count <= Self.maximumBytes else { return }
    if found.count >= Self.maximumCount { found.removeAll(keepingCapacity: true) }
    found[Key(entity: entity, bytes: bytes)] = key
  }
}
