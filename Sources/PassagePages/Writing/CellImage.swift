/// One value as it goes into a record.
package struct CellImage {
  /// The value's type code in the record format.
  var type: UInt64
  /// A number's bits.
  var word: UInt64
  /// Where a text or blob lies, until the record is written.
  var bytes: UnsafeRawPointer?

  @inline(__always)
  init(type: UInt64, word: UInt64 = 0, bytes: UnsafeRawPointer? = nil) {
    self.type = type
    self.word = word
    self.bytes = bytes
  }

  @inline(__always)
  package static var null: CellImage { CellImage(type: SerialType.null) }

  @inline(__always)
  package static func integer(_ value: Int64) -> CellImage {
    CellImage(type: SerialType.integer(value), word: UInt64(bitPattern: value))
  }

  /// A number as a column without affinity for integers keeps it. What is not a number becomes NULL.
  @inline(__always)
  package static func real(_ value: Double) -> CellImage {
    value.isNaN ? .null : CellImage(type: SerialType.real, word: value.bitPattern)
  }

  @inline(__always)
  package static func text(_ bytes: UnsafeRawBufferPointer) -> CellImage {
    CellImage(type: SerialType.text(bytes.count), bytes: bytes.baseAddress)
  }

  @inline(__always)
  package static func blob(_ bytes: UnsafeRawBufferPointer) -> CellImage {
    CellImage(type: SerialType.blob(bytes.count), bytes: bytes.baseAddress)
  }

  /// The bytes of the value in a record.
  @inline(__always)
  var byteCount: Int { SerialType.knownByteCount(type) }

  /// Writes the value.
  @inline(__always)
  func write(to target: UnsafeMutableRawPointer, byteCount: Int) {
    if let bytes {
      target.copyMemory(from: bytes, byteCount: byteCount)
      return
    }
    // The low bytes of a number, the most significant of them first.
    var big = (word << UInt64(truncatingIfNeeded: 64 - 8 * byteCount)).bigEndian
    switch byteCount {
    case 0: break
    case 1: target.storeBytes(of: UInt8(truncatingIfNeeded: big), as: UInt8.self)
    case 8: target.storeBytes(of: big, as: UInt64.self)
    default:
      withUnsafeBytes(of: &big) { target.copyMemory(from: $0.baseAddress!, byteCount: byteCount) }
    }
  }
}
