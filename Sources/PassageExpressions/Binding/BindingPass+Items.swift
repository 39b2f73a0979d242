import PassageDiagnostics
import PassageValues

extension BindingPass {
  /// `a[FIRST]`, `a[LAST]`, `a[SIZE]`, `a[n]`, `a['key']`, and the properties after it.
  mutating func item(
    of expression: ValueExpression, _ index: ElementIndex,
    _ components: ArraySlice<KeyPathComponent>,
    _ whole: ValueExpression
  ) -> Meaning {
    let position = whole.position
    switch meaning(expression) {
    case .value(let operand):
      guard case .at(.constant(.string(let key), _)) = index, operand.subject != nil else {
        if operand.type == .any, operand.constant != nil { return .value(operand) }
        return .value(
          fail(
            ExpressionCode.notACollection,
            "“\(operand.text)” is \(operand.type.described) and has no elements", at: position,
            remedy: operand.subject == nil
              ? "name a to-many relationship, or a list as in {1, 2}"
              : "put the name of an object's property in quotation marks, as in SELF['name']"))
      }
      return properties(
        [.name(key)] + components, of: .value(operand), whole, at: position)
    case .collection(let collection):
      if case .size = index {
        return properties(components, of: .value(count(collection, whole)), whole, at: position)
      }
      let place = self.position(index)
      guard collection.isOrdered else {
        return .value(
          fail(
            ExpressionCode.unsupported,
            "“\(collection.text)” has no order, so its elements have no positions", at: position,
            reason: "the relationship is not ordered",
            remedy: "use ANY, or the largest with @max"))
      }
      guard
        case .collection(let mapped) = properties(
          components, of: .collection(collection), whole, at: position)
      else {
        return .value(
          fail(
            ExpressionCode.unsupported, "a collection operator cannot be applied to one element",
            at: position,
            remedy: "put the operator before the brackets"))
      }
      return .value(take(place, of: mapped, whole))
    }
  }

  private mutating func position(_ index: ElementIndex) -> ItemPosition {
    switch index {
    case .first, .size: return .first
    case .last: return .last
    case .at(let expression):
      let operand = value(expression)
      switch operand.type {
      case .integer, .boolean, .null, .any: break
      default:
        report(
          ExpressionCode.wrongType,
          "a position must be a whole number, but “\(operand.text)” is \(operand.type.described)",
          at: operand.position)
      }
      return .at(operand.node)
    }
  }

  private func take(
    _ place: ItemPosition, of operand: CollectionOperand, _ whole: ValueExpression
  ) -> Operand {
    var node = BoundNode.item(operand.collection, place)
    if case .list(let nodes) = operand.collection.base, operand.collection.condition == nil,
      case .element(_, .value) = operand.collection.value
    {
      switch place {
      case .first: node = nodes.first ?? .constant(.null)
      case .last: node = nodes.last ?? .constant(.null)
      case .at(.constant(.integer(let index))):
        let isThere = index >= 0 && index < Int64(nodes.count)
        node = isThere ? nodes[Int(index)] : .constant(.null)
      case .at: break
      }
    }
    return Operand(
      node: node, type: operand.type, position: whole.position, text: whole.description,
      isSingle: operand.isSingle)
  }

  // MARK: Functions of collections

  /// The function whose value is `a[n]`.
  static let itemSelector = "objectFrom:withIndex:"

  /// `sum:(collection)`, `sum:(a, b)`, `count:(collection)`; `nil` for other functions.
  mutating func collectionFunction(
    _ selector: String, _ arguments: [ValueExpression], _ expression: ValueExpression
  ) -> Operand? {
    let name =
      selector.contains(":") || arguments.isEmpty
      ? Self.firstPart(of: selector) : selector
    let function = AggregateFunction.functions[name]
    guard function != nil || name == "count:" else {
      guard selector == Self.itemSelector else { return nil }
      guard arguments.count == 2 else {
        return fail(
          ExpressionCode.argumentCount,
          "“\(selector)” takes a collection and a position, not \(arguments.count) values",
          at: expression.position)
      }
      return value(item(of: arguments[0], .at(arguments[1]), [], expression), expression)
    }
    guard !arguments.isEmpty else {
      return fail(
        ExpressionCode.argumentCount, "“\(selector)” takes a collection, or values",
        at: expression.position)
    }
    let operand: CollectionOperand
    if arguments.count == 1 {
      guard let found = collection(arguments[0], for: "“\(name)”") else {
        return anything(expression.position)
      }
      operand = found
    } else {
      operand = list(arguments, expression)
    }
    guard let function else { return count(operand, expression) }
    return aggregate(function, operand, expression)
  }

  /// `sum:` for `sum::`, which is how a call without colons and with several arguments is parsed.
  private static func firstPart(of selector: String) -> String {
    guard let colon = selector.firstIndex(of: ":") else { return selector }
    return String(selector[...colon])
  }
}
