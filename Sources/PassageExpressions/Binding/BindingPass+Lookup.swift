import PassageDiagnostics
import PassageModels
import PassageValues

extension BindingPass {
  /// `lookup:key:value:result:("Entity", "keyAttribute", value, "resultAttribute")`.
  mutating func lookup(_ arguments: [ValueExpression], _ expression: ValueExpression) -> Operand {
    let names = [arguments[0], arguments[1], arguments[3]].map { argument -> String? in
      if case .constant(.string(let name), _) = argument { name } else { nil }
    }
    guard let entityName = names[0], let keyName = names[1], let resultName = names[2] else {
      return fail(
        ExpressionCode.wrongType,
        "the entity and the attributes of a lookup must be named by constant texts",
        at: expression.position,
        remedy: "write lookup(\"Entity\", \"keyAttribute\", value, \"resultAttribute\")")
    }
    guard let entity = scope.model.entity(named: entityName) else {
      return fail(
        FunctionCode.badArgument, "the model has no entity “\(entityName)”",
        at: arguments[0].position,
        remedy: nearest(to: entityName, in: scope.model.entities.map(\.name))
          .map { "did you mean “\($0)”?" })
    }
    guard let key = stored(keyName, of: entity, at: arguments[1].position),
      let result = stored(resultName, of: entity, at: arguments[3].position)
    else {
      return Operand(node: .constant(.null), type: .any, position: expression.position, text: "")
    }
    let keyType = ValueType(key.type)
    let value = adapt(value(arguments[2]), to: keyType)
    guard
      value.type == keyType || [.any, .null].contains(value.type)
        || (value.type.isNumber && keyType.isNumber) || (value.type.isText && keyType.isText)
    else {
      return fail(
        ExpressionCode.wrongType,
        "“\(keyName)” is \(keyType.described), but “\(value.text)” is \(value.type.described)",
        at: arguments[2].position)
    }
    let lookup = ObjectLookup(
      entityName: entityName,
      content: .value(keyAttribute: keyName, resultAttribute: resultName))
    var operand = operand(lookup, value.node, ValueType(result.type), expression)
    operand.isSingle = result.type == .float
    return operand
  }

  /// `sequenceNumber()`.
  mutating func sequenceNumber(_ expression: ValueExpression) -> Operand {
    operand(
      ObjectLookup(entityName: scope.entity.name, content: .place), .key, .integer, expression)
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
      remedy: nearest(to: name, in: attributes.map(\.name)).map { "did you mean “\($0)”?" })
    return nil
  }
}
