/// The bytes of a database that were read as a whole, and do not change.
package struct PageBytes: PageStorage {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var byteCount: Int64 { Int64(bytes.count) }

  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    guard offset >= 0, offset < byteCount else { return 0 }
    let rest = bytes[Int(offset)...].prefix(buffer.count)
    rest.withUnsafeBytes { buffer.copyMemory(from: $0) }
    return rest.count
  }

  /// It cannot be written to.
  package struct Unwritable: Error {}

  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws {
    throw Unwritable()
  }

  package func reserve(_ byteCount: Int64, at offset: Int64) {}

  package func truncate(to byteCount: Int64) throws { throw Unwritable() }
}
