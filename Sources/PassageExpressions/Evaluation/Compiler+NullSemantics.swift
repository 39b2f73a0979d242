import PassageDiagnostics
import PassageValues

/// The additional conditions of ``NullSemantics/coreDataSQL``.
extension Compiler {
  /// True if `v < l OR v > h` is true in SQL: one bound that is nil does not affect the other.
  func outside(
    _ value: BoundNode, _ lower: BoundNode, _ upper: BoundNode
  ) throws(Diagnostic) -> Test {
    let value = try computation(value)
    let lower = try computation(lower)
    let upper = try computation(upper)
    return {
      let (value, low, high) = (try value($0, $1), try lower($0, $1), try upper($0, $1))
      if value.isNothing { return false }
      return (!low.isNothing && Value.order(value, low) < 0)
        || (!high.isNothing && Value.order(value, high) > 0)
    }
  }

  /// No value is in an empty list, so `NOT IN {}` is true even for nil.
  func member(
    _ value: BoundNode, _ elements: [BoundNode], isNegated: Bool
  ) throws(Diagnostic) -> Test {
    let value = try computation(value)
    var computations: [Computation] = []
    for element in elements { computations.append(try computation(element)) }
    return { [computations] object, context in
      let value = try value(object, context)
      if computations.isEmpty { return isNegated }
      if value.isNothing { return false }
      var hasNothing = false
      for computation in computations {
        let element = try computation(object, context)
        if element.isNothing { hasNothing = true }
        if Value.isSame(value, element) { return !isNegated }
      }
      return isNegated && !hasNothing
    }
  }

  func textDiffers(
    _ operation: TextOperator, _ value: BoundNode, _ pattern: BoundNode
  ) throws(Diagnostic) -> Test {
    let fits = try test(.text(operation, value, pattern))
    let value = try computation(value)
    let pattern = try computation(pattern)
    return {
      if try value($0, $1).isNothing || pattern($0, $1).isNothing { return false }
      return try !fits($0, $1)
    }
  }
}
