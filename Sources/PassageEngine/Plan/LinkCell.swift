internal import PassageValues

/// A cell of a to-one relationship that the source object's own row determines: the related
/// object's new key, its entity number, or its place in an order. It has two back ends that tests
/// compare with each other: SQL (`LinkCell+SQL.swift`), where columns are names, and code
/// (``value(ofKey:_:)``), where they are positions.
enum LinkCell<Column: Sendable>: Sendable {
  /// The key in a column, plus an offset.
  case shifted(column: Column, KeyShift)
  /// The key in a column, plus the offset for the related object's entity, whose number is in
  /// another column. For an entity that is not listed there is no link.
  case byEntity(column: Column, number: Column, [EntityShift])
  /// An entity number, if the column has a key.
  case entityNumber(column: Column, Int)
  /// The new entity number for the related object's entity; NULL for an entity that is not listed.
  case entityNumberByEntity(number: Column, [EntityNumber])
  /// A place in an order, copied unchanged, if the column has a key.
  case place(column: Column, PlaceColumn<Column>)
  /// A related object that already exists is looked up; in SQL only.
  case lookedUp(LookedUpCell)
  /// A related object that already exists is found in a table in memory, by the table's position
  /// among those of its sweep; in pages only.
  case found(column: Column, FoundPart<Column>, table: Int)

  /// The columns of the source row that the cell is made from.
  var columns: [Column] {
    switch self {
    case .shifted(let column, _), .entityNumber(let column, _), .place(let column, .key): [column]
    case .byEntity(let column, let number, _): [column, number]
    case .entityNumberByEntity(let number, _): [number]
    case .place(let column, .column(let place)): [column, place]
    case .found(let column, .place(.column(let place)), _): [column, place]
    case .found(let column, _, _): [column]
    // Look-ups exist only in SQL.
    case .lookedUp: []
    }
  }

  /// The same cell with its columns mapped to another representation.
  func map<Other>(_ known: (Column) -> Other) -> LinkCell<Other> {
    switch self {
    case .shifted(let column, let shift): .shifted(column: known(column), shift)
    case .byEntity(let column, let number, let shifts):
      .byEntity(column: known(column), number: known(number), shifts)
    case .entityNumber(let column, let number): .entityNumber(column: known(column), number)
    case .entityNumberByEntity(let number, let numbers):
      .entityNumberByEntity(number: known(number), numbers)
    case .place(let column, .key): .place(column: known(column), .key)
    case .place(let column, .column(let place)):
      .place(column: known(column), .column(known(place)))
    case .lookedUp(let cell): .lookedUp(cell)
    case .found(let column, let part, let table):
      .found(column: known(column), part.map(known), table: table)
    }
  }
}

/// An offset that is added to a key.
struct KeyShift: Sendable, Hashable {
  /// At least 0.
  var offset: Int64
  /// The related table's keys. A smaller or a larger key leads to no object, but in the destination it
  /// could lead to an object of another mapping, so there is no link (`RUN-024` reports the number).
  /// `nil` with offset 0 where no other mapping has keys in the table: then the key is kept.
  var keys: Keyspace.Extent?
}

/// The offset for related objects of one source entity.
struct EntityShift: Sendable, Hashable {
  var number: Int
  var shift: KeyShift
}

/// The destination entity number for related objects of one source entity.
struct EntityNumber: Sendable, Hashable {
  var source: Int
  var destination: Int
}

/// Where a place in an order comes from.
enum PlaceColumn<Column: Sendable>: Sendable {
  /// The object's own key.
  case key
  /// A column of its row.
  case column(Column)
}

/// Which part of a link to a found object a cell holds.
enum FoundPart<Column: Sendable>: Sendable {
  case key
  case entityNumber
  /// The owner's place among the owners of the same object.
  case place(PlaceColumn<Column>)

  /// The same part with its columns mapped to another representation.
  func map<Other>(_ known: (Column) -> Other) -> FoundPart<Other> {
    switch self {
    case .key: .key
    case .entityNumber: .entityNumber
    case .place(.key): .place(.key)
    case .place(.column(let column)): .place(.column(known(column)))
    }
  }
}

// MARK: In code

extension LinkCell {
  /// Computes the cell in code.
  ///
  /// - Parameters:
  ///   - key: the source object's key.
  ///   - cell: returns the value of a column of its row, a number wherever SQL takes it for one
  ///     (`LinkNumber`).
  /// - Returns: the value that SQL gives, also for damaged rows; NULL for a cell that is looked up or found.
  func value(ofKey key: Int64, _ cell: (Column) -> Value) -> Value {
    switch self {
    case .shifted(let column, let shift): return shift.applied(to: cell(column))
    case .byEntity(let column, let number, let shifts):
      let found = cell(number)
      guard let shift = shifts.first(where: { found.isNumber($0.number) }) else { return .null }
      return shift.shift.applied(to: cell(column))
    case .entityNumber(let column, let number):
      return cell(column).isNull ? .null : .integer(Int64(number))
    case .entityNumberByEntity(let number, let numbers):
      let found = cell(number)
      guard let known = numbers.first(where: { found.isNumber($0.source) }) else { return .null }
      return .integer(Int64(known.destination))
    case .place(let column, let place):
      guard !cell(column).isNull else { return .null }
      return switch place {
      case .key: .integer(key)
      case .column(let column): cell(column)
      }
    case .lookedUp, .found: return .null
    }
  }
}

extension KeyShift {
  /// Adds the offset to a key as SQLite computes it: texts and blobs sort above every number.
  func applied(to key: Value) -> Value {
    guard let keys else { return key }
    guard !key.isNumberAbove(.integer(keys.largest)),
      !Value.integer(keys.smallest).isNumberAbove(key)
    else { return .null }
    return switch key {
    // The key is at most the largest one, so the sum does not overflow.
    case .integer(let number): .integer(number &+ offset)
    case .real(let number): Value(sqlite: number + Double(offset))
    default: .null
    }
  }
}

extension Value {
  /// A number as SQLite stores it: NaN is NULL.
  fileprivate init(sqlite number: Double) { self = number.isNaN ? .null : .real(number) }

  /// Whether the value is a number equal to this one.
  fileprivate func isNumber(_ number: Int) -> Bool {
    switch self {
    case .integer(let value): value == Int64(number)
    case .real(let value): value == Double(number)
    default: false
    }
  }
}
