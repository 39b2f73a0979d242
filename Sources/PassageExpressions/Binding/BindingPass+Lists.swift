import PassageDiagnostics
import PassageModels
import PassageValues

extension BindingPass {
  /// Binds a call of a function that gives a list.
  mutating func listFunction(
    _ function: ListFunction, _ arguments: [ValueExpression], _ expression: ValueExpression
  ) -> Meaning {
    let operands = arguments.map { value($0) }
    var isOK = true
    for (index, operand) in operands.enumerated() {
      let parameter = function.parameters[index]
      guard !parameter.isFit(operand.type) else { continue }
      isOK = false
      report(
        ExpressionCode.wrongType,
        "“\(function.selector)” takes \(parameter.described) as its argument \(index + 1), but "
          + "“\(operand.text)” is \(operand.type.described)",
        at: operand.position)
    }
    isOK = check(operands, function.check, expression) && isOK
    guard isOK else { return .value(anything(expression.position)) }
    let frame = newFrame()
    return .collection(
      CollectionOperand(
        collection: BoundCollection(
          base: .function(function, operands.map(\.node)), frame: frame,
          value: .element(frame, .value)),
        type: function.type, position: expression.position, text: expression.description,
        isOrdered: true))
  }

  /// Binds what the objects of a collection are sorted by; nothing where their properties cannot be read.
  mutating func sortKeys(
    _ keys: [Located<ValueExpression>], of collection: CollectionOperand
  ) -> [BoundNode] {
    guard collection.subject != nil else { return [] }
    variables["element"] = .value(collection.element)
    let place = location
    reasonOfErrors =
      "in “sortedBy”, $element is each related object of the source, not what is made of it"
    let nodes = keys.map { key in
      location = key.location
      return value(key.value).node
    }
    (location, reasonOfErrors) = (place, nil)
    return nodes
  }

  /// The values or objects of an expression as a collection: a single one is a collection of one, or
  /// of none if it is nil.
  ///
  /// - Returns: `nil` for a mistake, which is reported.
  mutating func elements(of expression: ValueExpression) -> CollectionOperand? {
    switch meaning(expression) {
    case .collection(let collection): return collection
    case .value(let operand):
      if operand.type == .any, operand.constant != nil { return nil }
      let frame = newFrame()
      let element = BoundNode.element(frame, .value)
      return CollectionOperand(
        collection: BoundCollection(
          base: .list([operand.node]), frame: frame,
          condition: .not(.equal(element, .constant(.null))), value: element),
        type: operand.type, position: operand.position, text: operand.text, isDistinct: true,
        isOrdered: true, isSingle: operand.isSingle)
    }
  }
}
