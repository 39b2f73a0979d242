internal import PassageValues

/// Tests of values.
extension CellMachine {
  /// - Returns: `nil` when the test is undecided.
  func answer(
    _ test: CellTest, _ constants: UnsafePointer<RawCell>, _ top: inout Int
  ) -> Bool? {
    switch test {
    case .compares(let orders, let withNull):
      top -= 2
      return Self.compares(stack[top], stack[top + 1], orders, withNull)
    case .isNull:
      top -= 1
      return stack[top].isNull
    case .isBetween:
      top -= 3
      let (value, low, high) = (stack[top], stack[top + 1], stack[top + 2])
      if value.isNull || low.isNull || high.isNull { return false }
      return RawCell.order(low, value) <= 0 && RawCell.order(value, high) <= 0
    case .isOutside:
      top -= 3
      let (value, low, high) = (stack[top], stack[top + 1], stack[top + 2])
      if value.isNull { return false }
      return (!low.isNull && RawCell.order(value, low) < 0)
        || (!high.isNull && RawCell.order(value, high) > 0)
    case .isIn(let first, let count):
      top -= 1
      return Self.isIn(stack[top], constants + first, count)
    case .text(let test, let unit):
      top -= 2
      return TextTests.answer(test, stack[top], stack[top + 1], by: unit)
    case .columnCompares: return nil
    }
  }

  @inline(__always)
  static func compares(
    _ left: RawCell, _ right: RawCell, _ orders: CellOrders, _ withNull: Bool
  ) -> Bool {
    if case .integer(let a) = left, case .integer(let b) = right {
      return orders.contains(a < b ? .less : a > b ? .greater : .same)
    }
    if !withNull, left.isNull || right.isNull { return false }
    let order = RawCell.order(left, right)
    return orders.contains(order < 0 ? .less : order > 0 ? .greater : .same)
  }

  private static func isIn(
    _ value: RawCell, _ constants: UnsafePointer<RawCell>, _ count: Int
  ) -> Bool {
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let order = RawCell.order(constants[middle], value)
      if order == 0 { return true }
      range = order < 0 ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return false
  }
}
