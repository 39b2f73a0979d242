import Synchronization

/// What was made last from a key: formatters and compiled patterns cost a thousand times what they
/// are used for.
///
/// One lane of one migration has a memo of its own, so its lock is hardly ever waited for. What is
/// kept is used under the lock only, because formatters are not made for several threads.
final class Memo<Key: Hashable & Sendable, Element>: Sendable {
  private static var maximumCount: Int { 32 }
  private let kept = Mutex<Kept>(Kept())

  private struct Kept {
    var elements: [Key: Element] = [:]
    /// The one used last: most callers ask for the same again, and to compare is cheaper than to hash.
    var last: (key: Key, element: Element)?
  }

  /// Uses the element of a key, which is made when it is not there.
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
