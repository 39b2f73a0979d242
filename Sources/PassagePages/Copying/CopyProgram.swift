package import PassageValues

/// What the rows of one entity in a source table become in a destination table.
package struct CopyProgram: Sendable {
  /// One column of the destination table. Columns without a cell are NULL.
  package struct Cell: Sendable {
    /// The column's position in the destination table.
    package var column: Int
    package var origin: Origin
    /// The source columns whose values are lost when the cell becomes NULL.
    package var watched: [Int]
    /// Whether the caller may replace it in a row: see ``RowCopier/replace(_:with:)``.
    package var isReplaceable: Bool

    package init(
      column: Int, origin: Origin, watched: [Int] = [], isReplaceable: Bool = false
    ) {
      self.column = column
      self.origin = origin
      self.watched = watched
      self.isReplaceable = isReplaceable
    }
  }

  /// Where a cell comes from. Columns are positions in the source table.
  package enum Origin: Sendable {
    /// The same in every row.
    case constant(Value)
    /// A cell of the source, unchanged.
    case copy(Int)
    /// A cell of the source, unchanged, if it is stored as one of these types; another one is left
    /// to SQLite.
    case taken(Int, StoredTypes)
    /// The row's key plus an offset.
    case key(offset: Int64)
    /// The key in a column, moved. A key that cannot be moved becomes NULL.
    case shifted(Int, Shift)
    /// The key in a column, moved as the entity number in another column says.
    case shiftedByEntity(Int, number: Int, [EntityShift])
    /// An entity number, if a column has a value.
    case entityNumber(Int, if: Int64)
    /// The new entity number for the one in a column; NULL for one that is not listed.
    case entityNumberByEntity(Int, [EntityNumber])
    /// The row's key, if a column has a value.
    case keyBeside(Int)
    /// A cell of the source, if another column has a value.
    case copyBeside(Int, beside: Int)
    /// What the object whose key is in a column has become, by a table of links. Where that is
    /// nothing, these cells are NULL.
    case found(Int, FoundPart, table: Int)
    /// A calculation in postfix order.
    case arithmetic([Operation])
    /// A value that steps compute; a row that they leave undecided is the caller's, and so is one
    /// without a value that is required.
    case computed(CellProgram, isRequired: Bool)
    /// A value that steps compute where they can; NULL in rows that are the caller's, or that they leave
    /// undecided.
    case derived(CellProgram)
    /// The caller sets it: see ``RowCopier/set(_:to:)``.
    case set
  }

  /// A part of a link that is found in a ``LinkTable``.
  package enum FoundPart: Sendable {
    case key
    case entityNumber
    /// The row's own key.
    case ownKey
    /// A cell of the source.
    case copy(Int)
  }

  /// One step of a calculation.
  package enum Operation: Sendable {
    case column(Int)
    case constant(Number)
    case key
    case apply(ArithmeticOperator, isReal: Bool)
    case function(NumberFunction)
  }

  /// How keys are moved.
  package struct Shift: Sendable {
    package var offset: Int64
    /// Other keys become NULL; `nil` with offset 0, where every cell is kept.
    package var keys: KeyBounds?

    package init(offset: Int64, keys: KeyBounds?) {
      self.offset = offset
      self.keys = keys
    }
  }

  /// The smallest and the largest of some keys. There are none if the smallest is the larger one.
  package struct KeyBounds: Sendable {
    package var smallest: Int64
    package var largest: Int64

    /// Those of all keys.
    static let all = KeyBounds(smallest: .min, largest: .max)

    package init(smallest: Int64, largest: Int64) {
      self.smallest = smallest
      self.largest = largest
    }

    @inline(__always)
    func contain(_ key: Int64) -> Bool { key >= smallest && key <= largest }
  }

  /// How keys of the rows of one entity are moved.
  package struct EntityShift: Sendable {
    package var number: Int64
    package var shift: Shift

    package init(number: Int64, shift: Shift) {
      self.number = number
      self.shift = shift
    }
  }

  /// The new number of an entity.
  package struct EntityNumber: Sendable {
    package var source: Int64
    package var destination: Int64

    package init(source: Int64, destination: Int64) {
      self.source = source
      self.destination = destination
    }
  }

  /// The number of the entity whose rows are copied; `nil` for every row.
  package var entityNumber: Int64?
  /// What is added to the keys.
  package var keyOffset: Int64
  package var cells: [Cell]
  /// Rows for which it does not hold are left out, and those about which it is undecided are the
  /// caller's; `nil` for every row.
  package var condition: CellProgram?
  /// Rows in which one of these columns is NULL are the caller's.
  package var required: [Int] = []
  /// Whether the caller decides about each row, and sets cells.
  package var isDecidedByCaller: Bool
  /// The columns that the caller reads.
  package var callerColumns: [Int]

  package init(
    entityNumber: Int64?, keyOffset: Int64, cells: [Cell], isDecidedByCaller: Bool = false,
    callerColumns: [Int] = []
  ) {
    self.entityNumber = entityNumber
    self.keyOffset = keyOffset
    self.cells = cells
    self.isDecidedByCaller = isDecidedByCaller
    self.callerColumns = callerColumns
  }

  /// The columns of the source that are read.
  var columns: [Int] {
    callerColumns + required + (condition?.columns ?? [])
      + cells.flatMap { $0.origin.columns + $0.watched }
  }
}

extension CopyProgram.Origin {
  /// The columns of the source that the cell is made from.
  var columns: [Int] {
    switch self {
    case .constant, .key, .set: []
    case .copy(let column), .taken(let column, _), .shifted(let column, _),
      .entityNumber(let column, _), .entityNumberByEntity(let column, _), .keyBeside(let column):
      [column]
    case .shiftedByEntity(let column, let number, _): [column, number]
    case .computed(let program, _), .derived(let program): program.columns
    case .copyBeside(let column, let other), .found(let column, .copy(let other), _):
      [column, other]
    case .found(let column, _, _): [column]
    case .arithmetic(let operations):
      operations.compactMap { if case .column(let column) = $0 { column } else { nil } }
    }
  }
}
