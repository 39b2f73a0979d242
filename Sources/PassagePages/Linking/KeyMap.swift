/// Maps keys from a range that is known before to keys of another: a few bits for each key of the
/// first range, as many as a number of the second one takes.
package final class KeyMap {
  private let memory: PageBuffer
  /// The values, one after the other: 0 for no key, else the key's place in its range, from 1.
  let words: UnsafeMutablePointer<UInt64>
  let first: Int64
  /// The number of keys in the range, less one.
  let lastIndex: UInt64
  /// The bits of a value, from 1 to 62.
  let width: UInt64
  /// The key before the first of the second range.
  let base: Int64

  /// An empty map.
  ///
  /// - Parameters:
  ///   - keys: what is mapped.
  ///   - values: what it is mapped to.
  /// - Returns: `nil` when it would take more than `limit` bytes.
  package init?(_ keys: ClosedRange<Int64>, to values: ClosedRange<Int64>, limit: Int) {
    let largest = UInt64(bitPattern: values.upperBound &- values.lowerBound)
    let lastIndex = UInt64(bitPattern: keys.upperBound &- keys.lowerBound)
    guard largest < 1 << 61, lastIndex < 1 << 50, values.lowerBound > .min else { return nil }
    width = UInt64(64 - (largest + 1).leadingZeroBitCount)
    // A value may end in the word after the one where it begins.
    let (wordCount, isTooLarge) = (lastIndex / 64 + 1).multipliedReportingOverflow(by: width)
    guard !isTooLarge, wordCount < UInt64(max(0, limit) / 8) else { return nil }
    memory = PageBuffer(byteCount: (Int(wordCount) + 1) * 8)
    words = memory.bytes.bindMemory(to: UInt64.self, capacity: Int(wordCount) + 1)
    first = keys.lowerBound
    self.lastIndex = lastIndex
    base = values.lowerBound - 1
  }

  package var byteCount: Int { memory.byteCount }

  /// Maps a key that is not mapped yet.
  ///
  /// - Returns: false when a key is not in its range.
  package func insert(_ key: Int64, _ value: Int64) -> Bool {
    let index = UInt64(bitPattern: key &- first)
    let number = UInt64(bitPattern: value &- base)
    guard index <= lastIndex, number > 0, number >> width == 0 else { return false }
    let bit = index * width
    let (word, shift) = (Int(bit >> 6), bit & 63)
    words[word] |= number << shift
    if shift + width > 64 { words[word + 1] |= number >> (64 - shift) }
    return true
  }
}
