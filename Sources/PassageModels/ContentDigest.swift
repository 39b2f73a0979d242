internal import Crypto

/// A digest of a list of texts: two lists that differ in any way have different ones.
///
/// Each text enters with its length, so that no two lists run together to the same bytes.
package struct ContentDigest {
  private var hasher = SHA256()

  package init() {}

  package mutating func add(_ text: String) {
    add(count: text.utf8.count)
    hasher.update(data: Array(text.utf8))
  }

  /// A text that may be missing; a missing text differs from an empty one.
  package mutating func add(_ text: String?) {
    add(count: text == nil ? 0 : 1)
    if let text { add(text) }
  }

  /// Texts, and how many they are.
  package mutating func add(_ texts: [String]) {
    add(count: texts.count)
    for text in texts { add(text) }
  }

  /// Texts by name, in any order.
  package mutating func add(_ texts: [String: String]) {
    add(count: texts.count)
    for (name, text) in texts.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      add(name)
      add(text)
    }
  }

  /// SHA-256 in 64 hexadecimal digits, over all that was added so far.
  package var text: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: hasher.finalize().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self)
  }

  /// The number of digits of every digest.
  package static let digitCount = 64

  private mutating func add(count: Int) {
    hasher.update(data: (0..<8).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) })
  }
}
