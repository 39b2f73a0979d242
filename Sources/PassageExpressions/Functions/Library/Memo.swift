import Synchronization

/// What was made last from a key: formatters and compiled patterns cost a thousand times what they
/// are used for.
///
/// One lane of one migration has a memo of its own, so its lock is hardly ever waited for. What is
/// kept is used under the lock only, because formatters are not made for several threads.
final class Memo<Key: Hashable & Sendable, Element>: Sendable {
  private static var maximumCount: Int { 32 }
  private let elements = Mutex<[Key: Element]>([:])

  /// Uses the element of a key, which is made when it is not there.
  func use<Result: Sendable>(
    _ key: Key, make: (Key) throws -> sending Element, _ body: (Element) throws -> Result
  ) rethrows -> Result {
    try elements.withLock { elements in
      if let element = elements[key] { return try body(element) }
      let element = try make(key)
      if elements.count >= Self.maximumCount { elements.removeAll() }
      elements[key] = element
      return try body(element)
    }
  }
}
