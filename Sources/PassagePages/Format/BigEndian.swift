/// Numbers as SQLite's file format stores them: the most significant byte first.
///
/// The callers have checked that the bytes are inside the page.
extension UnsafeRawPointer {
  @inline(__always)
  func bigUInt16(at offset: Int) -> Int {
    Int(UInt16(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  @inline(__always)
  func bigUInt32(at offset: Int) -> UInt32 {
    UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  @inline(__always)
  func bigUInt64(at offset: Int) -> UInt64 {
    UInt64(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

extension UnsafeMutableRawPointer {
  @inline(__always)
  func setBigUInt16(_ value: Int, at offset: Int) {
    storeBytes(
      of: UInt16(truncatingIfNeeded: value).bigEndian, toByteOffset: offset, as: UInt16.self)
  }

  @inline(__always)
  func setBigUInt32(_ value: UInt32, at offset: Int) {
    storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt32.self)
  }
}
