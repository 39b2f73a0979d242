import PassageValues

/// The range of numbers that a constant stands for when it is compared with a Float attribute.
///
/// An app stores a Float's 32 bits widened to 64, so 0.1 is stored as 0.10000000149011612, which
/// equals no constant written with fewer digits. If other programs wrote to the store, it may hold
/// the written number itself. Both count as the number in the predicate, and every number between
/// them becomes the same Float.
struct SingleBounds {
  let lower: BoundNode
  let upper: BoundNode
  /// The constant, rounded to a Float.
  let rounded: BoundNode

  /// - Returns: `nil` if the constant is a Float already or cannot be one: it is not a number, or
  ///   is outside a Float's range.
  init?(_ constant: Value?) {
    let number: Double
    switch constant {
    case .integer(let value)?: number = Double(value)
    case .real(let value)?: number = value
    default: return nil
    }
    let single = Double(Float(number))
    guard single.isFinite, single != 0 || number == 0, !number.isNaN else { return nil }
    let order = Value.order(constant ?? .null, .real(single))
    guard order != 0, let constant else { return nil }
    rounded = .constant(.real(single))
    lower = order < 0 ? .constant(constant) : rounded
    upper = order < 0 ? rounded : .constant(constant)
  }

  /// Creates the bounds for a constant that is compared with a Float.
  fileprivate init?(_ operand: Operand, beside other: Operand) {
    guard other.isSingle, !operand.isSingle else { return nil }
    self.init(operand.constant)
  }
}

/// Creates all comparisons, with rounding for Float attributes. They are created only here, so that
/// both lanes use the same constants.
extension BindingPass {
  func equal(_ left: Operand, _ right: Operand) -> BoundCondition {
    if let bounds = SingleBounds(right, beside: left) {
      return .between(left.node, bounds.lower, bounds.upper)
    }
    if let bounds = SingleBounds(left, beside: right) {
      return .between(right.node, bounds.lower, bounds.upper)
    }
    return .equal(left.node, right.node)
  }

  func ordered(_ ordering: Ordering, _ left: Operand, _ right: Operand) -> BoundCondition {
    // `x < 0.1` and `x >= 0.1` divide the numbers at the lower bound.
    let isLower = ordering == .less || ordering == .greaterOrEqual
    if let bounds = SingleBounds(right, beside: left) {
      return .ordered(ordering, left.node, isLower ? bounds.lower : bounds.upper)
    }
    if let bounds = SingleBounds(left, beside: right) {
      return .ordered(ordering, isLower ? bounds.upper : bounds.lower, right.node)
    }
    return .ordered(ordering, left.node, right.node)
  }

  func between(_ value: Operand, _ lower: Operand, _ upper: Operand) -> BoundCondition {
    if SingleBounds(value, beside: lower) != nil || SingleBounds(value, beside: upper) != nil {
      return .and([ordered(.lessOrEqual, lower, value), ordered(.lessOrEqual, value, upper)])
    }
    return .between(
      value.node, SingleBounds(lower, beside: value)?.lower ?? lower.node,
      SingleBounds(upper, beside: value)?.upper ?? upper.node)
  }

  func isIn(_ value: Operand, _ elements: [Operand]) -> BoundCondition {
    if let condition = isNamed(value, elements) { return condition }
    if SingleBounds(value.constant) != nil {
      let singles = elements.filter(\.isSingle)
      if !singles.isEmpty {
        let others = elements.filter { !$0.isSingle }.map(\.node)
        return .or([.isIn(value.node, others)] + singles.map { equal($0, value) })
      }
    }
    return .isIn(
      value.node,
      elements.flatMap { element in
        [element.node] + [SingleBounds(element, beside: value)?.rounded].compactMap(\.self)
      })
  }
}

extension Operand {
  /// The function that takes the operand's precision into account.
  func precise(_ function: BuiltInFunction) -> BuiltInFunction {
    isSingle && function == .textFromNumber ? .textFromSingle : function
  }
}

extension CollectionOperand {
  /// Rounds the constants of a list that is compared as a whole with values of a Float attribute.
  func rounded(beside other: CollectionOperand) -> CollectionOperand {
    guard other.isSingle, !isSingle, case .list(let nodes) = collection.base else { return self }
    var result = self
    result.collection.base = .list(
      nodes.map { SingleBounds($0.constantValue)?.rounded ?? $0 })
    result.isSingle = nodes.allSatisfy { $0.constantValue != nil }
    return result
  }
}
