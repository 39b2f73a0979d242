/// Assigns keys to the additional objects that a policy makes: those that are not at a source
/// object's key plus the offset. They lie above all mapped keys of their table, and continue after
/// those of the previous pass.
final class KeyAllocator {
  private(set) var nextKeys: [String: Int64]

  /// - Parameter firstKeys: the first key above all mapped keys, by table.
  init(firstKeys: [String: Int64]) { nextKeys = firstKeys }

  /// Continues above the keys that an earlier pass or the interrupted run assigned.
  func skip(table: String, to key: Int64) {
    nextKeys[table] = max(nextKeys[table] ?? 1, key)
  }

  /// Releases the keys that were assigned since this state.
  func restore(_ keys: [String: Int64]) { nextKeys = keys }

  func next(table: String) throws -> Int64 {
    let key = nextKeys[table] ?? 1
    guard key < .max else {
      throw PolicyMistake("the keys of \(table) are used up")
    }
    nextKeys[table] = key + 1
    return key
  }
}
