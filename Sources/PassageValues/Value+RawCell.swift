internal import PassagePlatform

extension Value {
  /// A copy of a cell.
  package init(_ cell: RawCell) {
    self =
      switch cell {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let bytes): Value(utf8: bytes.assumingMemoryBound(to: UInt8.self))
      case .blob(let bytes): .blob(Array(bytes))
      }
  }

  /// A text from the bytes of a store. It is validated, never repaired.
  package init(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    // Decoding is specialised in the standard library, validating is not. A text that had to be
    // repaired differs from the stored bytes.
    let text = String(decoding: bytes, as: UTF8.self)
    let isUnchanged =
      text.utf8.withContiguousStorageIfAvailable { decoded in
        guard decoded.count == bytes.count else { return false }
        guard let decoded = decoded.baseAddress, let stored = bytes.baseAddress else { return true }
        return memcmp(decoded, stored, bytes.count) == 0
      } ?? text.utf8.elementsEqual(bytes)
    self = isUnchanged ? .text(text) : .malformedText(Array(bytes))
  }
}
