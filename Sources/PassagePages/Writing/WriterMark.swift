/// The state of writers at one moment, as bytes, so that an interrupted run can continue there.
///
/// It refers to pages that are in the file: it is worth something as long as the file is.
package struct WriterMark: Sendable, Hashable {
  package private(set) var bytes: [UInt8]

  init() { bytes = [] }

  /// A mark that was stored.
  package init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func append(_ number: Int64) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ content: UnsafeRawBufferPointer) { bytes.append(contentsOf: content) }

  /// Reads a mark from its beginning.
  struct Reader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ mark: WriterMark) { self.init(mark.bytes[...]) }

    private init(_ bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      position = bytes.startIndex
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    /// A part that is read by itself.
    mutating func part(byteCount: Int) throws(UnreadableMark) -> Reader {
      guard bytes.endIndex - position >= byteCount else { throw UnreadableMark() }
      defer { position += byteCount }
      return Reader(bytes[position..<position + byteCount])
    }

    mutating func number() throws(UnreadableMark) -> Int64 {
      guard bytes.endIndex - position >= 8 else { throw UnreadableMark() }
      defer { position += 8 }
      return (0..<8).reduce(0) { $0 | Int64(bytes[position + $1]) << (8 * Int64($1)) }
    }

    /// A number in a range.
    mutating func number(in range: ClosedRange<Int>) throws(UnreadableMark) -> Int {
      guard let number = Int(exactly: try number()), range.contains(number) else {
        throw UnreadableMark()
      }
      return number
    }

    mutating func page() throws(UnreadableMark) -> UInt32 {
      UInt32(try number(in: 0...Int(Int32.max)))
    }

    mutating func read(into buffer: PageBuffer) throws(UnreadableMark) {
      guard bytes.endIndex - position >= buffer.byteCount else { throw UnreadableMark() }
      bytes.withUnsafeBytes { source in
        if let base = source.baseAddress {
          buffer.bytes.copyMemory(
            from: base + (position - bytes.startIndex), byteCount: buffer.byteCount)
        }
      }
      position += buffer.byteCount
    }
  }
}

/// A stored mark is not one of these writers: the work must begin anew.
package struct UnreadableMark: Error, Sendable {}
