/// A row as it is stored, whose cells are decoded when they are asked for. It does not change while
/// more than one ``SourceObject`` refers to it.
///
/// It is a class with a decoder, not a protocol, so that an object can tell whether it is the only one
/// that has the row.
// Unchecked: the content changes only while a single object refers to the row, and as ``Memory`` says.
@usableFromInline
package final class StoredRow: @unchecked Sendable {
  /// What a row consists of. Its bytes mean what the decoder makes of them.
  package struct Content {
    package var key: Int64 = 0
    package var columnCount = 0
    /// Allocated with an alignment of 16.
    package private(set) var bytes: UnsafeMutableRawPointer
    package private(set) var byteCount: Int

    fileprivate init(byteCount: Int) {
      bytes = .allocate(byteCount: byteCount, alignment: 16)
      self.byteCount = byteCount
    }

    /// Takes other memory, with any content.
    package mutating func reallocate(byteCount: Int) {
      bytes.deallocate()
      self = Content(byteCount: byteCount)
    }
  }

  /// Where a row lies. What is made of the row, and is no source object, refers to this.
  // Unchecked: the row writes the content only while no object that is still there was made of it.
  package final class Memory: @unchecked Sendable {
    private let decoder: any RowDecoder
    fileprivate let content: UnsafeMutablePointer<Content>

    fileprivate init(_ decoder: any RowDecoder, byteCount: Int) {
      self.decoder = decoder
      content = .allocate(capacity: 1)
      content.initialize(to: Content(byteCount: byteCount))
    }

    deinit {
      content.pointee.bytes.deallocate()
      content.deallocate()
    }

    /// The cell at a position; NULL when there is none.
    package func value(at position: Int) -> Value {
      decoder.value(at: position, of: content)
    }
  }

  private let decoder: any RowDecoder
  package private(set) var memory: Memory
  /// The identity of the memory.
  @usableFromInline package let identity: ObjectIdentifier
  // A pointer: an access to a class's property by another module is checked for exclusivity each time.
  package let content: UnsafeMutablePointer<Content>

  /// - Parameter byteCount: the bytes that it has at first.
  package init(_ decoder: any RowDecoder, byteCount: Int) {
    self.decoder = decoder
    memory = Memory(decoder, byteCount: byteCount)
    identity = ObjectIdentifier(memory)
    content = memory.content
  }

  /// Whether nothing else refers to the memory.
  package func hasSoleMemory() -> Bool { isKnownUniquelyReferenced(&memory) }

  /// The number of cells.
  @usableFromInline
  package var count: Int { decoder.count }

  /// The cell at a position; NULL when there is none.
  @usableFromInline
  package func value(at position: Int) -> Value { decoder.value(at: position, of: content) }

  /// The number in the cell at a position; NULL for any other cell, and when there is none.
  package func number(at position: Int) -> Number {
    decoder.number(at: position, of: content)
  }
}

/// Decodes the cells of rows.
package protocol RowDecoder: AnyObject, Sendable {
  /// The number of cells of every row.
  var count: Int { get }

  /// The cell at a position; NULL when there is none.
  func value(at position: Int, of row: UnsafePointer<StoredRow.Content>) -> Value

  /// The number in the cell at a position; NULL for any other cell, and when there is none.
  func number(at position: Int, of row: UnsafePointer<StoredRow.Content>) -> Number
}
