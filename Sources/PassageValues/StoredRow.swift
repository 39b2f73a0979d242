/// A row as it is stored, whose cells are decoded when they are asked for. It does not change while
/// more than one ``SourceObject`` refers to it.
///
/// It is a class with a decoder, not a protocol, so that an object can tell whether it is the only one
/// that has the row.
// Unchecked: the content changes only while a single object refers to the row, and as ``Memory`` says.
@usableFromInline
package final class StoredRow: @unchecked Sendable {
  /// What a row consists of.
  @usableFromInline
  package struct Content {
    package var key: Int64 = 0
    @usableFromInline package var columnCount = 0
    /// Where the columns are in ``bytes``.
    @usableFromInline package private(set) var columns: UnsafeMutablePointer<RecordColumn>
    package private(set) var columnCapacity: Int
    /// The record. Allocated with an alignment of 16.
    @usableFromInline package private(set) var bytes: UnsafeMutableRawPointer
    package private(set) var byteCount: Int

    fileprivate init(columnCapacity: Int, byteCount: Int) {
      columns = .allocate(capacity: columnCapacity)
      self.columnCapacity = columnCapacity
      bytes = .allocate(byteCount: byteCount, alignment: 16)
      self.byteCount = byteCount
    }

    /// Takes other memory for the record, with any content.
    package mutating func reallocate(byteCount: Int) {
      bytes.deallocate()
      bytes = .allocate(byteCount: byteCount, alignment: 16)
      self.byteCount = byteCount
    }

    /// Takes other memory for the columns, with any content, unless there is enough.
    package mutating func reserveColumns(_ capacity: Int) {
      guard capacity > columnCapacity else { return }
      columns.deallocate()
      columns = .allocate(capacity: capacity)
      columnCapacity = capacity
    }

    fileprivate func deallocate() {
      columns.deallocate()
      bytes.deallocate()
    }
  }

  /// Where a row lies. What is made of the row, and is no source object, refers to this.
  // Unchecked: the row writes the content only while no object that is still there was made of it.
  package final class Memory: @unchecked Sendable {
    private let decoder: any RowDecoder
    fileprivate let content: UnsafeMutablePointer<Content>

    fileprivate init(_ decoder: any RowDecoder, columnCapacity: Int, byteCount: Int) {
      self.decoder = decoder
      content = .allocate(capacity: 1)
      content.initialize(to: Content(columnCapacity: columnCapacity, byteCount: byteCount))
    }

    deinit {
      content.pointee.deallocate()
      content.deallocate()
    }

    /// The cell at a position; NULL when there is none.
    package func value(at position: Int) -> Value {
      decoder.value(at: position, of: content)
    }
  }

  private let decoder: any RowDecoder
  /// By position of a cell, the column whose integers are the cell's; -1 for none.
  @usableFromInline let integerColumns: [Int]
  package private(set) var memory: Memory
  /// The identity of the memory.
  @usableFromInline package let identity: ObjectIdentifier
  // A pointer: an access to a class's property by another module is checked for exclusivity each time.
  @usableFromInline package let content: UnsafeMutablePointer<Content>

  /// - Parameters:
  ///   - integerColumns: by position of a cell, the column whose integers are the cell's; -1 for none.
  ///   - columnCapacity: the columns for which there is room at first.
  ///   - byteCount: the bytes of the record for which there is room at first.
  package init(
    _ decoder: any RowDecoder, integerColumns: [Int], columnCapacity: Int, byteCount: Int
  ) {
    self.decoder = decoder
    self.integerColumns = integerColumns
    memory = Memory(decoder, columnCapacity: columnCapacity, byteCount: byteCount)
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
  package func number(at position: Int) -> Number { decoder.number(at: position, of: content) }

  /// The integer in the cell at a position, if it is stored as the cell has it; `nil` for most others,
  /// about which ``number(at:)`` tells.
  @inlinable
  package func storedInteger(at position: Int) -> Int64? {
    guard integerColumns.indices.contains(position) else { return nil }
    let column = integerColumns[position]
    guard column >= 0, column < content.pointee.columnCount else { return nil }
    let place = content.pointee.columns[column]
    return place.isInteger ? place.integer(in: content.pointee.bytes) : nil
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
