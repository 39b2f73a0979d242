internal import PassageValues

extension DestinationObject {
  /// What an object consists of besides its key. It is shared by the copies of an object until one is changed, so
  /// passing an object on costs one reference count.
  // Unchecked: `DestinationObject` changes it only while no copy of the object shares it.
  final class Storage: @unchecked Sendable {
    let shape: DestinationShape
    /// The cells by position. In the place of a deferred cell is an arbitrary value.
    var cells: [Value]

    /// The positions of the cells that are made of ``row`` when they are asked for, a bit for each.
    var deferred: UInt64 = 0
    private var row: (any StoredRow)?
    private var rowKey: Int64 = 0
    private var defaults: DeferredDefaults?

    init(shape: DestinationShape, cells: [Value]) {
      self.shape = shape
      self.cells = cells
    }

    convenience init(copying other: Storage) {
      self.init(shape: other.shape, cells: other.cells)
      (deferred, row, rowKey, defaults) = (other.deferred, other.row, other.rowKey, other.defaults)
    }

    /// Leaves cells to be made of the row of an object, which has one.
    func deferCells(_ defaults: DeferredDefaults, of source: SourceObject) {
      row = source.row
      rowKey = source.key
      if self.defaults !== defaults { self.defaults = defaults }
      deferred = defaults.positions
    }

    /// Whether the deferred cells are made of a row.
    func isMade(of row: ObjectIdentifier) -> Bool {
      guard let own = self.row else { return false }
      return ObjectIdentifier(own) == row
    }

    /// Lets go of the row.
    func clearRow() {
      row = nil
      deferred = 0
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
