import PassageValues

extension CellProgramWriter {
  /// Writes steps that go on at one of two labels.
  mutating func write(_ condition: BoundCondition, _ ifTrue: Int, _ ifFalse: Int) -> Bool {
    switch condition {
    case .truth(let value): return appendJump(value ? ifTrue : ifFalse)
    case .and(let parts): return write(parts, untilOneFails: true, ifTrue, ifFalse)
    case .or(let parts): return write(parts, untilOneFails: false, ifTrue, ifFalse)
    case .not(let operand): return write(operand, ifFalse, ifTrue)
    case .equal(let left, let right):
      return write(left, right, .same, withNull: true, ifTrue, ifFalse)
    case .ordered(let ordering, let left, let right):
      return write(left, right, ordering.orders, withNull: false, ifTrue, ifFalse)
    case .between(let value, let low, let high):
      return write(value) && write(low) && write(high)
        && append(.isBetween, takes: 3, ifTrue, ifFalse)
    case .outside(let value, let low, let high):
      return write(value) && write(low) && write(high)
        && append(.isOutside, takes: 3, ifTrue, ifFalse)
    case .isIn(let value, let elements): return write(value, isIn: elements, ifTrue, ifFalse)
    case .text(let operation, let value, let pattern):
      return write(operation, value, pattern, ifTrue, ifFalse)
    case .textDiffers(let operation, let value, let pattern):
      let (differs, other) = (makeLabel(), makeLabel())
      guard write(operation, value, pattern, ifFalse, differs) else { return false }
      set(differs)
      guard write(value), append(.isNull, takes: 1, ifFalse, other) else { return false }
      set(other)
      return write(pattern) && append(.isNull, takes: 1, ifFalse, ifTrue)
    case .exists, .member: return false
    }
  }

  /// Conditions joined by `AND`, or else by `OR`.
  private mutating func write(
    _ parts: [BoundCondition], untilOneFails isAnd: Bool, _ ifTrue: Int, _ ifFalse: Int
  ) -> Bool {
    for part in parts {
      let next = makeLabel()
      guard isAnd ? write(part, next, ifFalse) : write(part, ifTrue, next) else { return false }
      set(next)
    }
    return appendJump(isAnd ? ifTrue : ifFalse)
  }

  private mutating func write(
    _ left: BoundNode, _ right: BoundNode, _ orders: CellOrders, withNull: Bool, _ ifTrue: Int,
    _ ifFalse: Int
  ) -> Bool {
    if case .cell(let path) = left, let constant = right.constantValue {
      guard let column = place(of: path), let constant = place(of: constant) else { return false }
      return append(
        .columnCompares(column, orders, constant: constant, withNull: withNull), takes: 0, ifTrue,
        ifFalse)
    }
    return write(left) && write(right)
      && append(.compares(orders, withNull: withNull), takes: 2, ifTrue, ifFalse)
  }

  private mutating func write(
    _ value: BoundNode, isIn elements: [BoundNode], _ ifTrue: Int, _ ifFalse: Int
  ) -> Bool {
    let constants = elements.compactMap(\.constantValue)
    guard constants.count == elements.count, write(value) else { return false }
    var first: Int?
    for constant in constants.sorted(by: { Value.order($0, $1) < 0 }) {
      guard let place = place(of: constant) else { return false }
      first = first ?? place
    }
    return append(.isIn(first: first ?? 0, count: constants.count), takes: 1, ifTrue, ifFalse)
  }

  private mutating func write(
    _ operation: TextOperator, _ value: BoundNode, _ pattern: BoundNode, _ ifTrue: Int,
    _ ifFalse: Int
  ) -> Bool {
    if case .like(let unit) = operation {
      guard let constant = pattern.constantValue?.string,
        let like = SimplePattern(constant, by: unit)
      else { return false }
      return write(value) && append(constant: .text(like.text))
        && append(.text(like.test, like.unit), takes: 2, ifTrue, ifFalse)
    }
    guard let (test, unit) = operation.test else { return false }
    return write(value) && write(pattern)
      && append(
        .text(test, unit == .letters ? .letters : .bytes), takes: 2, ifTrue, ifFalse)
  }
}

extension Ordering {
  fileprivate var orders: CellOrders {
    switch self {
    case .less: .less
    case .lessOrEqual: [.less, .same]
    case .greater: .greater
    case .greaterOrEqual: [.greater, .same]
    case .equal: .same
    case .notEqual: [.less, .greater]
    }
  }
}

extension TextOperator {
  fileprivate var test: (CellTextTest, TextUnit)? {
    switch self {
    case .contains(let unit): (.contains, unit)
    case .beginsWith(let unit): (.beginsWith, unit)
    case .endsWith(let unit): (.endsWith, unit)
    case .like, .matches: nil
    }
  }
}
