internal import PassageValues

/// A cell of a to-one relationship that the source object's own row determines: the related object's new
/// key, its entity's number, its place in an order. It has two back ends that tests compare with each
/// other: SQL (`LinkCell+SQL.swift`), where columns are names, and code (``value(ofKey:_:)``), where they
/// are positions.
enum LinkCell<Column: Sendable>: Sendable {
  /// The key that stands in a column, moved.
  case shifted(column: Column, KeyShift)
  /// The key that stands in a column, moved by what the related object's entity, whose number stands in
  /// another, asks for. Of an entity that is not listed there is no link.
  case byEntity(column: Column, number: Column, [EntityShift])
  /// A number, where there is a key.
  case entityNumber(column: Column, Int)
  /// The new number for that of the related object's entity; none for an entity that is not listed.
  case entityNumberByEntity(number: Column, [EntityNumber])
  /// A cell as it is, where there is a key: a place in an order.
  case place(column: Column, PlaceColumn<Column>)
  /// A related object that was made before is looked up: in SQL alone.
  case lookedUp(LookedUpCell)

  /// The columns of the source row that the cell is made of.
  var columns: [Column] {
    switch self {
    case .shifted(let column, _), .entityNumber(let column, _), .place(let column, .key): [column]
    case .byEntity(let column, let number, _): [column, number]
    case .entityNumberByEntity(let number, _): [number]
    case .place(let column, .column(let place)): [column, place]
    // SQL alone looks up.
    case .lookedUp: []
    }
  }

  /// The same cell with columns known by something else.
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
    }
  }
}

/// How a key is moved.
struct KeyShift: Sendable, Hashable {
  /// 0 or more.
  var offset: Int64
  /// The related table's largest key. A larger one leads to no object; moved, it could lead to one of
  /// another mapping, so then there is no link (`RUN-024` reports how many). What is not moved stays.
  var largest: Int64
}

/// What becomes of related objects of one source entity.
struct EntityShift: Sendable, Hashable {
  var number: Int
  var shift: KeyShift
}

/// The destination entity of related objects of one source entity.
struct EntityNumber: Sendable, Hashable {
  var source: Int
  var destination: Int
}

/// Where a place comes from.
enum PlaceColumn<Column: Sendable>: Sendable {
  /// The object's own key.
  case key
  /// A column of its row.
  case column(Column)
}

// MARK: In code

extension LinkCell {
  /// The cell, in code.
  ///
  /// - Parameters:
  ///   - key: the source object's key.
  ///   - cell: gives a column of its row.
  /// - Returns: what SQL gives, for damaged rows too; NULL for what is looked up.
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
    case .lookedUp: return .null
    }
  }
}

extension KeyShift {
  /// A key moved, as SQLite computes it: texts and blobs are above every number.
  func applied(to key: Value) -> Value {
    guard offset != 0 else { return key }
    guard !key.isNumberAbove(.integer(largest)) else { return .null }
    return switch key {
    // Below the largest key, so there is room for the offset.
    case .integer(let number): .integer(number &+ offset)
    case .real(let number): Value(sqlite: number + Double(offset))
    default: .null
    }
  }
}

extension Value {
  /// A number as SQLite keeps it: what is not one is NULL.
  fileprivate init(sqlite number: Double) { self = number.isNaN ? .null : .real(number) }

  /// Whether it is a number of this size.
  fileprivate func isNumber(_ number: Int) -> Bool {
    switch self {
    case .integer(let value): value == Int64(number)
    case .real(let value): value == Double(number)
    default: false
    }
  }
}
