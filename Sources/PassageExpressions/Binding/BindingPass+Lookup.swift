import PassageDiagnostics
import PassageModels
import PassagePlatform
import PassageValues

extension BindingPass {
  /// `lookup:key:value:result:("Entity", "keyAttribute", value, "resultAttribute")`.
  mutating func lookup(_ arguments: [ValueExpression], _ expression: ValueExpression) -> Operand {
    guard let names = names([arguments[0], arguments[1], arguments[3]]) else {
      return unnamed("lookup(\"Entity\", \"keyAttribute\", value, \"resultAttribute\")", expression)
    }
    guard let (entity, key) = lookedUp(names, arguments),
      let result = stored(names[2], of: entity, at: arguments[3].position)
    else { return anything(expression.position) }
    guard let value = sought(arguments[2], key) else { return anything(expression.position) }
    let lookup = ObjectLookup(
      entityName: entity.name,
      content: .value(keyAttribute: key.name, resultAttribute: result.name))
    var operand = operand(lookup, value.node, ValueType(result.type), expression)
    operand.isSingle = result.type == .float
    return operand
  }

  /// `lookupObject:key:value:("Entity", "keyAttribute", value)`.
  mutating func lookupObject(
    _ arguments: [ValueExpression], _ expression: ValueExpression
  ) -> Operand {
    guard let names = names([arguments[0], arguments[1]]) else {
      return unnamed("lookupObject('Entity', 'keyAttribute', value)", expression)
    }
    guard let (entity, key) = lookedUp(names, arguments), let value = sought(arguments[2], key)
    else { return anything(expression.position) }
    return operand(
      ObjectLookup(entityName: entity.name, content: .object(keyAttribute: key.name)), value.node,
      .object(entityName: entity.name), expression)
  }

  /// The constant texts; `nil` when one is none.
  private func names(_ arguments: [ValueExpression]) -> [String]? {
    let names = arguments.compactMap { argument -> String? in
      if case .constant(.string(let name), _) = argument { name } else { nil }
    }
    return names.count == arguments.count ? names : nil
  }

  private mutating func unnamed(_ form: String, _ expression: ValueExpression) -> Operand {
    fail(
      ExpressionCode.wrongType,
      "the entity and the attributes of a lookup must be named by constant texts",
      at: expression.position, remedy: "write \(form)")
  }

  /// The entity of the objects, and the attribute by which they are found.
  private mutating func lookedUp(
    _ names: [String], _ arguments: [ValueExpression]
  ) -> (Entity, Attribute)? {
    let (entityName, keyName) = (names[0], names[1])
    guard let entity = scope.model.entity(named: entityName) else {
      report(
        FunctionCode.badArgument, "the model has no entity “\(entityName)”",
        at: arguments[0].position,
        remedy: similar(to: entityName, in: scope.model.entities.map(\.name)))
      return nil
    }
    return stored(keyName, of: entity, at: arguments[1].position).map { (entity, $0) }
  }

  /// The value by which objects are found; `nil` for one of another type than the attribute.
  private mutating func sought(_ argument: ValueExpression, _ key: Attribute) -> Operand? {
    let keyType = ValueType(key.type)
    var value = adapt(value(argument), to: keyType)
    if value.type == keyType || [.any, .null].contains(value.type)
      || (value.type.isNumber && keyType.isNumber) || (value.type.isText && keyType.isText)
    {
      // A constant is sought as an app stores it.
      if key.type == .float, let bounds = SingleBounds(value.constant) {
        value.node = bounds.rounded
      }
      return value
    }
    report(
      ExpressionCode.wrongType,
      "“\(key.name)” is \(keyType.described), but “\(value.text)” is \(value.type.described)",
      at: argument.position)
    return nil
  }

  /// `sequenceNumber()`.
  mutating func sequenceNumber(_ expression: ValueExpression) -> Operand {
    let (entity, key) = sourceObject
    return operand(
      ObjectLookup(entityName: entity.name, content: .place), key, .integer, expression)
  }

  /// The source object's entity and key: those of the object under test, or of the object that an
  /// element belongs to.
  var sourceObject: (Entity, BoundNode) {
    mutating get {
      guard scope.paths["source"] != nil, case .value(let source) = meaning(.variable("source")),
        let subject = source.subject
      else { return (scope.entity, .key) }
      return (subject.entity, source.node)
    }
  }

  // MARK: Trees

  /// `depthAlong:("parent")`.
  mutating func depth(_ arguments: [ValueExpression], _ expression: ValueExpression) -> Operand {
    guard let names = names(arguments) else { return unnamed("depthAlong('parent')", expression) }
    let (entity, key) = sourceObject
    guard let top = tree(names[0], of: entity, at: arguments[0].position) else {
      return anything(expression.position)
    }
    return operand(
      ObjectLookup(entityName: top.name, content: .depth(relationship: names[0])), key, .integer,
      expression)
  }

  /// `pathAlong:of:separator:("parent", "name", "/")`.
  mutating func path(_ arguments: [ValueExpression], _ expression: ValueExpression) -> Operand {
    guard let names = names(arguments) else {
      return unnamed("pathAlong('parent', 'name', '/')", expression)
    }
    let (entity, key) = sourceObject
    guard let top = tree(names[0], of: entity, at: arguments[0].position),
      let attribute = stored(names[1], of: top, at: arguments[1].position)
    else { return anything(expression.position) }
    guard ValueType(attribute.type).isText else {
      return fail(
        ExpressionCode.wrongType,
        "“\(attribute.name)” is \(ValueType(attribute.type).described), not a text",
        at: arguments[1].position)
    }
    return operand(
      ObjectLookup(
        entityName: top.name,
        content: .path(
          relationship: names[0], attribute: attribute.name, separator: ExactText(names[2]))), key,
      .string, expression)
  }

  /// The entity of the objects of a tree: the one that a to-one relationship of its own objects leads
  /// to.
  private mutating func tree(
    _ name: String, of entity: Entity, at position: SourcePosition
  ) -> Entity? {
    guard let relationship = scope.model.relationship(name, of: entity) else {
      let known = scope.model.relationships(of: entity).map(\.name)
      report(
        FunctionCode.badArgument, "“\(entity.name)” has no relationship “\(name)”", at: position,
        remedy: similar(to: name, in: known))
      return nil
    }
    guard !relationship.isToMany, !relationship.isTransient,
      let top = scope.model.entity(named: relationship.destinationEntityName),
      scope.model.isKind(entity, of: top),
      scope.model.relationship(name, of: top)?.destinationEntityName == top.name
    else {
      report(
        FunctionCode.badArgument, "“\(entity.name).\(name)” does not make a tree", at: position,
        reason: "it is not a to-one relationship from objects of an entity to objects of the same",
        remedy: "name the relationship that leads to an object's parent")
      return nil
    }
    return top
  }

  private mutating func operand(
    _ lookup: ObjectLookup, _ key: BoundNode, _ type: ValueType, _ expression: ValueExpression
  ) -> Operand {
    if !lookups.contains(lookup) { lookups.append(lookup) }
    return Operand(
      node: .lookup(lookup, key), type: type, position: expression.position,
      text: expression.description)
  }

  private mutating func stored(
    _ name: String, of entity: Entity, at position: SourcePosition
  ) -> Attribute? {
    if let attribute = scope.model.attribute(name, of: entity), attribute.isStored {
      return attribute
    }
    let attributes = scope.model.attributes(of: entity).filter(\.isStored)
    report(
      FunctionCode.badArgument, "“\(entity.name)” has no stored attribute “\(name)”", at: position,
      remedy: similar(to: name, in: attributes.map(\.name)))
    return nil
  }

  private func similar(to name: String, in names: [String]) -> String? {
    canTry ? nearest(to: name, in: names).map { "did you mean “\($0)”?" } : nil
  }
}
