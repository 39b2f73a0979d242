internal import PassagePlatform

/// A digest of a list of texts. Two lists that differ in any way have different digests.
///
/// The length of each text is included, so that different lists never give the same bytes.
package struct ContentDigest {
  private var digest = MessageDigest()

  package init() {}

  package mutating func add(_ text: String) {
    add(count: text.utf8.count)
    digest.update(Array(text.utf8))
  }

  /// Adds a text that may be missing. A missing text differs from an empty one.
  package mutating func add(_ text: String?) {
    add(count: text == nil ? 0 : 1)
    if let text { add(text) }
  }

  /// Adds a list of texts and its length.
  package mutating func add(_ texts: [String]) {
    add(count: texts.count)
    for text in texts { add(text) }
  }

  /// Adds texts by name, independently of their order.
  package mutating func add(_ texts: [String: String]) {
    add(count: texts.count)
    for (name, text) in texts.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      add(name)
      add(text)
    }
  }

  /// The SHA-256 of everything added so far, in 64 hexadecimal digits.
  package var text: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: digest.finalized.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self)
  }

  /// The number of digits of a digest.
  package static let digitCount = 64

  private mutating func add(count: Int) {
    digest.update((0..<8).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) })
  }
}
