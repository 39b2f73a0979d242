internal import PassageDiagnostics

/// Gives out the keys of objects that stand at no source object's key: those a policy makes beside
/// the first. They lie above every feed of their table, and go on where the pass before stopped.
final class KeyAllocator {
  private(set) var nextKeys: [String: Int64]

  /// - Parameter firstKeys: by table, the first key above every feed.
  init(firstKeys: [String: Int64]) { nextKeys = firstKeys }

  /// Goes on above the keys that an earlier pass, or the interrupted run, gave out.
  func skip(table: String, to key: Int64) {
    nextKeys[table] = max(nextKeys[table] ?? 1, key)
  }

  /// Takes back what was given out since.
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
