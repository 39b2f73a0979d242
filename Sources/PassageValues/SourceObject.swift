/// One object of the source store as expressions and policies see it.
///
/// It is a value: keeping it beyond the hook that received it is safe and costs one copy of its
/// cells.
public struct SourceObject: Sendable {
  /// The names of the cells.
  public let shape: ObjectShape

  /// The object's primary key (`Z_PK`) in the source store.
  public var key: Int64

  /// The cells; empty while they are in ``row``.
  @usableFromInline var cells: [Value]

  /// The row from which cells are decoded when they are asked for; `nil` when they are in
  /// ``cells``.
  @usableFromInline package var row: StoredRow?

  /// The cells, in the order of ``ObjectShape/names``.
  ///
  /// - Complexity: O(1), but O(`values.count`) for an object whose cells have not been decoded yet,
  ///   at every call. To read single cells, ask for them by name.
  @inlinable
  public var values: [Value] {
    get { row.map { Self.decoded($0) } ?? cells }
    _modify {
      if row != nil { decode() }
      yield &cells
    }
  }

  /// Creates an object.
  ///
  /// - Parameters:
  ///   - shape: the names of the cells.
  ///   - key: the primary key, unique in the table of the root entity.
  ///   - values: the cells, in the order of the names of the shape.
  public init(shape: ObjectShape, key: Int64, values: [Value]) {
    self.shape = shape
    self.key = key
    cells = values
  }

  /// Creates an object whose cells are decoded when they are asked for.
  ///
  /// - Parameter row: its cells, in the order of the names of the shape.
  package init(shape: ObjectShape, key: Int64, row: StoredRow) {
    self.shape = shape
    self.key = key
    self.row = row
    cells = []
  }

  /// Whether nobody else refers to the row: then the next one may be put into it.
  @inlinable
  package mutating func hasSoleRow() -> Bool { isKnownUniquelyReferenced(&row) }

  /// The cell with this name; `nil` if the shape has no such cell.
  public subscript(name: String) -> Value? {
    guard let position = shape.position(of: name) else { return nil }
    return value(at: position)
  }

  /// The cell at a position; NULL when there is none.
  ///
  /// - Parameter position: the position of its name in ``ObjectShape/names``.
  @inlinable
  package func value(at position: Int) -> Value {
    // The object keeps the row. Unwrapped by binding, it would be counted.
    if row != nil { return row.unsafelyUnwrapped.value(at: position) }
    return cells.indices.contains(position) ? cells[position] : .null
  }

  /// The integer in the cell at a position, where it takes little to read it; `nil` for other cells, and
  /// for some integers: ``number(at:)`` tells.
  @inlinable
  package func storedInteger(at position: Int) -> Int64? {
    row != nil ? row.unsafelyUnwrapped.storedInteger(at: position) : nil
  }

  /// The number in the cell at a position; NULL for any other cell, and when there is none.
  package func number(at position: Int) -> Number {
    if row != nil { return row.unsafelyUnwrapped.number(at: position) }
    return cells.indices.contains(position) ? Number(cells[position]) : .null
  }

  /// Whether the cells are decoded from a row, given by the identity of its memory.
  @inlinable
  package func hasRow(_ identity: ObjectIdentifier) -> Bool {
    row != nil && row.unsafelyUnwrapped.identity == identity
  }

  /// The number of cells.
  @inlinable
  package var valueCount: Int { row.map { $0.count } ?? cells.count }

  @usableFromInline
  mutating func decode() {
    guard let row else { return }
    cells = Self.decoded(row)
    self.row = nil
  }

  @usableFromInline
  static func decoded(_ row: StoredRow) -> [Value] {
    (0..<row.count).map { row.value(at: $0) }
  }
}
