import PassageDiagnostics
import PassageModels
import PassageValues

extension BindingPass {
  /// The collection that an expression means; `nil`, with a mistake recorded, if it is one value.
  mutating func collection(_ expression: ValueExpression, for what: String) -> CollectionOperand? {
    let errorCount = diagnostics.errorCount
    switch meaning(expression) {
    case .collection(let collection): return collection
    case .value(let operand):
      // What is made of a mistake may have a type.
      if operand.isMistake || diagnostics.errorCount > errorCount { return nil }
      report(
        ExpressionCode.notACollection,
        "\(what) needs a collection, but “\(operand.text)” is \(operand.type.described)",
        at: operand.position,
        remedy: "name a to-many relationship, or a list as in {1, 2}")
      return nil
    }
  }

  /// The values of `{a, b}`.
  mutating func list(_ elements: [ValueExpression], _ expression: ValueExpression)
    -> CollectionOperand
  {
    var operands = elements.map { value($0) }
    let typed = operands.first { $0.constant == nil } ?? operands.first { $0.type != .null }
    var type = ValueType.null
    for index in operands.indices {
      if let typed { operands[index] = adapt(operands[index], to: typed.type) }
      guard let common = Self.common(type, operands[index].type) else {
        report(
          ExpressionCode.wrongType,
          "the list contains \(type.described) and “\(operands[index].text)”, which is "
            + "\(operands[index].type.described)",
          at: operands[index].position)
        continue
      }
      type = common
    }
    let frame = newFrame()
    return CollectionOperand(
      collection: BoundCollection(
        base: .list(operands.map(\.node)), frame: frame, value: .element(frame, .value)),
      type: type, position: expression.position, text: expression.description, isOrdered: true,
      isSingle: !operands.isEmpty && operands.allSatisfy(\.isSingle))
  }

  // MARK: SUBQUERY

  /// `SUBQUERY(collection, $x, predicate)`: the elements that satisfy the predicate. In the
  /// predicate, names without a variable are properties of the outer object.
  mutating func subquery(
    _ expression: ValueExpression, _ variable: String, _ predicate: ObjectPredicate
  ) -> Meaning {
    guard var result = collection(expression, for: "SUBQUERY") else {
      return .value(anything(expression.position))
    }
    var element = result.element
    element.text = "$" + variable
    let outer = variables.updateValue(.value(element), forKey: variable)
    let condition = settled(condition(predicate))
    variables[variable] = outer
    result.collection = result.collection.filtered(condition)
    result.text = "SUBQUERY(\(expression), …)"
    return .collection(result)
  }

  // MARK: Set operators

  /// `a UNION b`, `a INTERSECT b`, `a MINUS b`: each value occurs once in the result.
  mutating func set(
    _ set: SetOperator, _ left: ValueExpression, _ right: ValueExpression,
    _ expression: ValueExpression
  ) -> Meaning {
    guard let left = collection(left, for: set.rawValue),
      let right = collection(right, for: set.rawValue)
    else { return .value(anything(expression.position)) }
    let (first, second) = (left.rounded(beside: right), right.rounded(beside: left))
    guard isComparable(first.type, second.type) else {
      return .value(
        fail(
          ExpressionCode.wrongType,
          "the values of “\(left.text)” are \(first.type.described) and those of “\(right.text)” \(second.type.described)",
          at: expression.position))
    }
    var result: CollectionOperand
    switch set {
    case .union:
      let frame = newFrame()
      result = first
      result.collection = BoundCollection(
        base: .union(first.collection, second.collection), frame: frame,
        value: .element(frame, .value))
      result.type = Self.common(first.type, second.type) ?? .any
      result.subject = nil
      result.isDistinct = true
      result.isSingle = first.isSingle && second.isSingle
    case .intersect, .minus:
      let isIn = BoundCondition.exists(
        second.collection.filtered(.equal(second.collection.value, first.collection.value)))
      result = first
      result.collection = first.collection.filtered(set == .minus ? .not(isIn) : isIn)
      result = makeDistinct(result)
    }
    result.isOrdered = false
    result.position = expression.position
    result.text = expression.description
    return .collection(result)
  }

  /// The collection without duplicate values.
  mutating func makeDistinct(_ operand: CollectionOperand) -> CollectionOperand {
    guard !operand.isDistinct else { return operand }
    var result = operand
    let frame = newFrame()
    result.collection = BoundCollection(
      base: .distinct(operand.collection), frame: frame, value: .element(frame, .value))
    result.subject = nil
    result.isDistinct = true
    result.isOrdered = false
    return result
  }

  // MARK: Collection operators

  /// Applies a collection operator: `items.@sum.price`, `items.price.@sum`, `items.@count`. The
  /// part before it may be missing, as in `@sum.items.price`.
  ///
  /// - Parameters:
  ///   - before: the names before the operator, from `start`.
  ///   - rest: the components after the operator, up to the end of the path.
  mutating func collectionOperator(
    _ name: String, _ start: Meaning, _ before: [String], _ rest: ArraySlice<KeyPathComponent>,
    _ expression: ValueExpression, at position: SourcePosition
  ) -> Meaning {
    guard Self.collectionOperators.contains(name) else {
      let suggestion = nearest(to: name, in: Self.collectionOperators)
      let isTruth = ["YES", "NO", "TRUE", "FALSE"].contains(name.uppercased())
      return .value(
        fail(
          ExpressionCode.unsupported, "there is no collection operator @\(name)", at: position,
          remedy: isTruth
            ? "write \(name) without “@”"
            : suggestion.map { "did you mean @\($0)?" }
              ?? "the operators are \(Self.collectionOperators.map { "@" + $0 }.joined(separator: ", "))"
        ))
    }
    let next = rest.firstIndex { if case .collectionOperator = $0 { true } else { false } }
    let after = next.map { rest[$0...] } ?? []
    let own = rest[..<(next ?? rest.endIndex)]
      .compactMap { if case .name(let name) = $0 { name } else { nil } }
    guard name != "count" || own.isEmpty || (before.isEmpty && after.isEmpty) else {
      return .value(
        fail(
          ExpressionCode.unknownKeyPath, "@count has no properties", at: position,
          remedy: "put it at the end, as in items.@count"))
    }
    var collection: CollectionOperand?
    let isFlat = Self.unions[name] != nil && !name.hasSuffix("Objects")
    let first = walk(before[...], from: start, expression, at: position)
    switch first {
    case .collection(let operand):
      collection =
        isFlat
        ? walked(before + own, from: start, expression, at: position)
        : own.isEmpty ? operand : map(operand, own[...], expression, at: position)
    case .value(let operand):
      if operand.type == .any, operand.constant != nil { return first }
      collection = walked(before + own, from: start, expression, at: position)
    }
    guard var collection else {
      return .value(
        fail(
          ExpressionCode.notACollection, "@\(name) needs a collection, but there is only one value",
          at: position, remedy: "name a to-many relationship before it"))
    }
    collection.position = position
    let result = apply(name, collection, expression)
    return after.isEmpty ? result : properties(after, of: result, expression, at: position)
  }

  private mutating func walked(
    _ names: [String], from start: Meaning, _ expression: ValueExpression,
    at position: SourcePosition
  ) -> CollectionOperand? {
    if case .collection(let found) = walk(names[...], from: start, expression, at: position) {
      found
    } else {
      nil
    }
  }

  private static let collectionOperators =
    ["count"] + AggregateFunction.operators.keys.sorted() + unions.keys.sorted()

  /// For each operator, whether it removes duplicate values. Those of arrays and sets follow one
  /// more to-many relationship.
  private static let unions = [
    "unionOfObjects": false, "unionOfArrays": false, "unionOfSets": false,
    "distinctUnionOfObjects": true, "distinctUnionOfArrays": true, "distinctUnionOfSets": true,
  ]

  private mutating func apply(
    _ name: String, _ collection: CollectionOperand, _ expression: ValueExpression
  ) -> Meaning {
    if name == "count" { return .value(count(collection, expression)) }
    if let function = AggregateFunction.operators[name] {
      return .value(aggregate(function, collection, expression))
    }
    // Arrays and sets cannot contain nil.
    var result = collection
    result.collection = collection.collection.filtered(
      .not(.equal(collection.collection.value, .constant(.null))))
    return .collection(Self.unions[name] == true ? makeDistinct(result) : result)
  }

  func count(_ collection: CollectionOperand, _ expression: ValueExpression) -> Operand {
    if case .list(let nodes) = collection.collection.base, collection.collection.condition == nil {
      return Operand(
        node: .constant(.integer(Int64(nodes.count))), type: .integer,
        position: collection.position, text: expression.description)
    }
    return Operand(
      node: .count(collection.collection, limit: nil), type: .integer,
      position: collection.position,
      text: expression.description)
  }

  mutating func aggregate(
    _ function: AggregateFunction, _ collection: CollectionOperand, _ expression: ValueExpression
  ) -> Operand {
    let isFit: Bool =
      switch collection.type {
      case .object, .opaque, .binary, .uuid: false
      case .string, .uri, .date: !function.takesNumbers
      default: true
      }
    guard isFit else {
      return fail(
        ExpressionCode.wrongType,
        "“\(expression)” needs \(function.takesNumbers ? "numbers" : "values that have an order"), "
          + "but each value of “\(collection.text)” is \(collection.type.described)",
        at: collection.position, remedy: remedy(forAggregated: collection.type))
    }
    let type: ValueType =
      switch function {
      case .average, .median, .standardDeviation: .real
      case .sum:
        collection.type == .boolean || collection.type == .null ? .integer : collection.type
      default: collection.type
      }
    return Operand(
      node: .aggregate(function, collection.collection), type: type,
      position: collection.position, text: expression.description,
      isSingle: collection.isSingle && [.minimum, .maximum, .mode].contains(function))
  }
}
