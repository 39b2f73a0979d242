import Synchronization

/// A cache of the elements that were last made from a key. Making a formatter or a compiled pattern
/// takes a thousand times as long as using it.
///
/// Texts are part of a key as `ExactText`: Swift's own comparison takes patterns for equal that differ
/// in how an accent is written, and match different texts.
///
/// Each lane of a migration has a cache of its own, so there is hardly any contention for the lock.
/// Elements are used only under the lock, because formatters are not safe for use by several
/// threads.
final class Memo<Key: Hashable & Sendable, Element>: Sendable {
  private static var maximumCount: Int { 32 }
  private let kept = Mutex<Kept>(Kept())

  private struct Kept {
    var elements: [Key: Element] = [:]
    /// The element used last: most calls repeat the key, and a comparison is cheaper than a hash.
    var last: (key: Key, element: Element)?
  }

  /// Calls `body` with the element of a key, which is made if it is not in the cache.
  func use<Result: Sendable>(
    _ key: Key, make: (Key) throws -> sending Element, _ body: (Element) throws -> Result
  ) rethrows -> Result {
    try kept.withLock { kept in
      if let last = kept.last, last.key == key { return try body(last.element) }
      if let element = kept.elements[key] {
        kept.last = (key, element)
        return try body(element)
      }
      let element = try make(key)
      if kept.elements.count >= Self.maximumCount { kept.elements.removeAll() }
      kept.elements[key] = element
      kept.last = (key, element)
      return try body(element)
    }
  }
}
