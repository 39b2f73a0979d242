internal import PassageValues

extension DestinationObject {
  /// What an object consists of besides its key. It is shared by the copies of an object until one is changed, so
  /// passing an object on costs one reference count.
  // Unchecked: it is changed only while nobody else has it.
  final class Storage: @unchecked Sendable {
    let shape: DestinationShape
    /// The cells by position, one for each attribute of the shape. In the place of a deferred cell is an arbitrary
    /// value.
    let cells: UnsafeMutableBufferPointer<Value>

    /// The positions of the cells that are made of ``row`` when they are asked for, a bit for each.
    var deferred: UInt64 = 0
    // The row stays while another object is made in this memory: most rows lie where the one before lay,
    // and need not be counted.
    private var row: StoredRow.Memory?
    private var rowIdentity: ObjectIdentifier?
    private var rowKey: Int64 = 0
    private var isMadeOfRow = false
    private var defaults: DeferredDefaults?
    /// Those of ``defaults``.
    private var positions: UInt64 = 0

    /// - Parameter cells: by position; those that it lacks are NULL.
    init(shape: DestinationShape, cells: some Collection<Value>) {
      self.shape = shape
      self.cells = .allocate(capacity: shape.attributes.count)
      self.cells.initialize(repeating: .null)
      for (position, value) in zip(self.cells.indices, cells) { self.cells[position] = value }
    }

    /// Makes the deferred cells.
    convenience init(copying other: Storage) {
      self.init(shape: other.shape, cells: other.cells.indices.map { other.value(at: $0) })
    }

    deinit {
      cells.deinitialize()
      cells.deallocate()
    }

    /// Sets a cell, which is not deferred any more.
    @inline(__always)
    func set(_ position: Int, to value: consuming Value) {
      // Nothing is counted for an integer in the place of a number.
      if case .integer(let number) = value, cells[position].isNumberOrNull {
        cells.initializeElement(at: position, to: .integer(number))
      } else {
        cells[position] = consume value
      }
      deferred &= ~(1 << UInt64(position))
    }

    /// Lends a cell that is not deferred, of an object that nobody else has. It is taken out meanwhile,
    /// so that no reference is counted, and is back when `body` has returned or thrown.
    @inline(__always)
    func lendCell<Failure>(
      _ position: Int, _ body: (Value) throws(Failure) -> Void
    ) throws(Failure) {
      let value = cells.moveElement(from: position)
      defer { cells.initializeElement(at: position, to: value) }
      try body(value)
    }

    /// Leaves cells to be made of the row of an object.
    ///
    /// - Parameter identity: of the row, which there is.
    func deferCells(
      _ defaults: DeferredDefaults, of source: SourceObject, _ identity: ObjectIdentifier
    ) {
      if self.defaults !== defaults { self.defaults = defaults }
      positions = defaults.positions
      deferCells(of: source, identity)
    }

    /// Leaves the same cells to be made of another row as of the one before.
    @inline(__always)
    func deferCells(of source: SourceObject, _ identity: ObjectIdentifier) {
      if rowIdentity != identity { take(source.row, identity) }
      rowKey = source.key
      deferred = positions
      isMadeOfRow = true
    }

    @inline(never)
    private func take(_ row: StoredRow?, _ identity: ObjectIdentifier) {
      self.row = row?.memory
      rowIdentity = identity
    }

    /// Whether the deferred cells are made of a row.
    func isMade(of row: ObjectIdentifier) -> Bool { isMadeOfRow && rowIdentity == row }

    /// Has no deferred cells any more.
    func clearDeferred() {
      deferred = 0
      isMadeOfRow = false
    }

    @inline(__always)
    func isDeferred(_ position: Int) -> Bool {
      deferred != 0 && deferred >> UInt64(position) & 1 == 1
    }

    func value(at position: Int) -> Value {
      if isDeferred(position), let row, let defaults {
        return defaults.value(at: position, of: row, key: rowKey)
      }
      return cells[position]
    }
  }
}

extension Value {
  /// Whether the value has no memory of its own.
  @inline(__always)
  fileprivate var isNumberOrNull: Bool {
    switch self {
    case .null, .integer, .real: true
    case .text, .blob, .malformedText: false
    }
  }
}
