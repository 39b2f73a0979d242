import PassageDiagnostics
import PassageModels
import PassageValues

extension BindingPass {
  /// Binds `a.b.c`: to-one relationships, then a leaf, then properties of its value.
  mutating func keyPath(
    _ operand: Expression?, _ components: [KeyPathComponent], _ expression: Expression,
    at position: SourcePosition
  ) -> Operand {
    var names: [String] = []
    for component in components {
      switch component {
      case .name(let name): names.append(name)
      case .collectionOperator(let name):
        return unsupported("the collection operator @\(name)", expression)
      case .placeholder(let conversion):
        return fail(
          ExpressionCode.unsupported, "nothing is supplied for %\(conversion)", at: position,
          remedy: "write the key path itself")
      }
    }
    switch operand {
    case nil, .selfObject?:
      guard checkSubject(nil, at: position) else { return anything(position) }
      return walk(names, expression, at: position)
    case .variable(let name, _)?:
      guard checkSubject(name, at: position) else { return anything(position) }
      return walk(names, expression, at: position)
    case let operand?:
      return properties(names[...], of: value(operand))
    }
  }

  private func anything(_ position: SourcePosition) -> Operand {
    Operand(node: .constant(.null), type: .any, position: position, text: "")
  }

  private mutating func walk(
    _ names: [String], _ expression: Expression, at position: SourcePosition
  ) -> Operand {
    var entity = scope.entity
    var walked: [Relationship] = []
    for (index, name) in names.enumerated() {
      let isLast = index == names.count - 1
      if let attribute = scope.model.attribute(name, of: entity) {
        guard isReadable(attribute, of: entity, at: position) else { return anything(position) }
        let leaf = cell(names.prefix(index + 1), walked, .attribute(attribute), at: position)
        return isLast ? leaf : properties(names[(index + 1)...], of: leaf)
      }
      guard let relationship = scope.model.relationship(name, of: entity) else {
        return unknown(name, of: entity, at: position)
      }
      if relationship.isToMany {
        return fail(
          ExpressionCode.toManyWithoutAggregate,
          "“\(name)” of “\(entity.name)” leads to many objects, and one value is needed",
          at: position,
          reason:
            "ANY, ALL, NONE, @count and SUBQUERY over relationships cannot be carried out yet",
          remedy: "compute the value in a policy")
      }
      if isLast { return cell(names[...], walked, .relationship(relationship), at: position) }
      guard let destination = scope.model.entity(named: relationship.destinationEntityName) else {
        return fail(
          ExpressionCode.unknownKeyPath,
          "the model has no entity “\(relationship.destinationEntityName)”, to which “\(name)” leads",
          at: position)
      }
      walked.append(relationship)
      entity = destination
    }
    return fail(ExpressionCode.unknownKeyPath, "the key path is empty", at: position)
  }

  private mutating func cell(
    _ names: ArraySlice<String>, _ walked: [Relationship], _ leaf: ResolvedKeyPath.Leaf,
    at position: SourcePosition
  ) -> Operand {
    let path = ResolvedKeyPath(
      entityName: scope.entity.name, components: Array(names), relationships: walked, leaf: leaf)
    read(path)
    let type: ValueType =
      switch leaf {
      case .attribute(let attribute): ValueType(attribute.type)
      case .relationship(let relationship):
        .object(entityName: relationship.destinationEntityName)
      case .object: .object(entityName: scope.entity.name)
      }
    return Operand(node: .cell(path), type: type, position: position, text: path.name)
  }

  private mutating func isReadable(
    _ attribute: Attribute, of entity: Entity, at position: SourcePosition
  ) -> Bool {
    if attribute.type == .composite {
      report(
        ExpressionCode.unsupported,
        "“\(attribute.name)” of “\(entity.name)” is a composite attribute, which has no value of its own",
        at: position, remedy: "compute the value in a policy")
      return false
    }
    guard attribute.isStored else {
      report(
        ExpressionCode.unsupported,
        "“\(attribute.name)” of “\(entity.name)” is transient: the store does not hold it",
        at: position)
      return false
    }
    return true
  }

  private mutating func unknown(
    _ name: String, of entity: Entity, at position: SourcePosition
  ) -> Operand {
    let names =
      scope.model.attributes(of: entity).map(\.name)
      + scope.model.relationships(of: entity).map(\.name)
    let suggestion = nearest(to: name, in: names).map { "did you mean “\($0)”?" }
    return fail(
      ExpressionCode.unknownKeyPath, "“\(entity.name)” has no property “\(name)”", at: position,
      remedy: suggestion
        ?? (names.isEmpty ? nil : "its properties are " + names.sorted().joined(separator: ", ")))
  }

  // MARK: Properties of values

  /// Binds the properties that Foundation's classes have for key-value coding.
  private mutating func properties(_ names: ArraySlice<String>, of operand: Operand) -> Operand {
    var result = operand
    for name in names { result = property(name, of: result) }
    return result
  }

  /// Every property, by the type it belongs to.
  private static func properties(of type: ValueType) -> [(String, BuiltInFunction?, ValueType)] {
    switch type {
    case .date:
      [("timeIntervalSince1970", nil, .real), ("timeIntervalSinceReferenceDate", nil, .real)]
    case .string:
      [
        ("length", .length, .integer), ("uppercaseString", .uppercase, .string),
        ("lowercaseString", .lowercase, .string),
      ]
    case .uuid: [("UUIDString", .textFromUUID, .string)]
    case .uri: [("absoluteString", nil, .string)]
    case .binary: [("length", .byteCount, .integer)]
    case .boolean, .integer, .real:
      [
        ("stringValue", type == .boolean ? .textFromBoolean : .textFromNumber, .string),
        ("integerValue", .integerFromNumber, .integer), ("intValue", .integerFromNumber, .integer),
        ("longLongValue", .integerFromNumber, .integer), ("doubleValue", .realFromNumber, .real),
        ("boolValue", .booleanFromNumber, .boolean),
      ]
    default: []
    }
  }

  mutating func property(_ name: String, of operand: Operand) -> Operand {
    let properties = Self.properties(of: operand.type)
    let text = operand.text + "." + name
    guard let property = properties.first(where: { $0.0 == name }) else {
      if operand.type == .any, operand.constant != nil { return operand }
      let suggestion = nearest(to: name, in: properties.map(\.0))
      return fail(
        ExpressionCode.unknownKeyPath,
        "“\(operand.text)” is \(operand.type.described) and has no property “\(name)”",
        at: operand.position, text: text, remedy: suggestion.map { "did you mean “\($0)”?" })
    }
    var node = operand.node
    if let function = property.1 {
      node = fold(function, [node], at: operand.position)
    } else if name == "timeIntervalSince1970" {
      // 1970-01-01 to 2001-01-01 in seconds.
      node = fold(.add, node, .constant(.real(978_307_200)), isReal: true)
    }
    return Operand(node: node, type: property.2, position: operand.position, text: text)
  }
}
