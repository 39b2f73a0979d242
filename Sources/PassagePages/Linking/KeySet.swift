/// A set of keys from a range that is known before: a bit for each key of the range.
package final class KeySet {
  private let memory: PageBuffer
  /// The bits, from the range's first key on.
  let words: UnsafeMutablePointer<UInt64>
  let first: Int64
  /// The number of keys in the range, less one.
  let lastIndex: UInt64

  /// The memory that a set takes.
  ///
  /// - Returns: `nil` when it is more than an address can tell.
  package static func byteCount(of range: ClosedRange<Int64>) -> Int? {
    let lastIndex = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    return Int(exactly: lastIndex / 64 + 1).flatMap {
      let (bytes, isTooLarge) = $0.multipliedReportingOverflow(by: 8)
      return isTooLarge ? nil : bytes
    }
  }

  /// An empty set.
  ///
  /// - Returns: `nil` when it would take more than `limit` bytes.
  package init?(_ range: ClosedRange<Int64>, limit: Int) {
    guard let byteCount = Self.byteCount(of: range), byteCount <= limit else { return nil }
    memory = PageBuffer(byteCount: byteCount)
    words = memory.bytes.bindMemory(to: UInt64.self, capacity: byteCount / 8)
    first = range.lowerBound
    lastIndex = UInt64(bitPattern: range.upperBound &- range.lowerBound)
  }

  /// Adds a key. One that is not in the range is left out.
  package func insert(_ key: Int64) {
    let index = UInt64(bitPattern: key &- first)
    guard index <= lastIndex else { return }
    words[Int(truncatingIfNeeded: index >> 6)] |= 1 << (index & 63)
  }

  package func contains(_ key: Int64) -> Bool {
    let index = UInt64(bitPattern: key &- first)
    guard index <= lastIndex else { return false }
    return words[Int(truncatingIfNeeded: index >> 6)] >> (index & 63) & 1 == 1
  }

  /// The number of keys.
  ///
  /// - Complexity: O(range).
  package var count: Int {
    (0..<memory.byteCount / 8).reduce(0) { $0 + words[$1].nonzeroBitCount }
  }

  package var isEmpty: Bool { !(0..<memory.byteCount / 8).contains { words[$0] != 0 } }

  // MARK: Storing

  /// The set as bytes.
  package var bytes: [UInt8] { Array(memory.contents) }

  /// Takes over a stored set of the same range.
  ///
  /// - Returns: whether it was one.
  package func restore(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == memory.byteCount else { return false }
    bytes.withUnsafeBytes { stored in
      if let base = stored.baseAddress {
        memory.bytes.copyMemory(from: base, byteCount: stored.count)
      }
    }
    return true
  }
}
