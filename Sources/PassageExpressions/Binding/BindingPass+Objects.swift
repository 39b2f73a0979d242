import PassageDiagnostics
import PassageModels
import PassageValues

/// Forms that are written as calls and depend on the object or on a collection of objects.
extension BindingPass {
  // MARK: The object

  /// `objectKey()`: the object's primary key.
  mutating func objectKey(_ expression: ValueExpression) -> Operand {
    Operand(
      node: sourceObject.1, type: .integer, position: expression.position,
      text: expression.description)
  }

  /// `objectURI()`: the URI with which Core Data names the object in its store.
  mutating func objectURI(_ expression: ValueExpression) -> Operand {
    guard checkIsValue(expression) else { return anything(expression.position) }
    let (entity, key) = sourceObject
    return Operand(
      node: .function(
        FunctionLibrary.objectURI, [storeUUID(), .constant(.text(entity.name)), key]),
      type: .string, position: expression.position, text: expression.description)
  }

  /// `randomUUID()`: a UUID that depends on the migration, the store, the object and the place of the
  /// call.
  mutating func randomUUID(_ expression: ValueExpression) -> Operand {
    guard checkIsValue(expression) else { return anything(expression.position) }
    let line = scope.place.isEmpty ? "\(location?.line ?? 0):\(location?.column ?? 0)" : ""
    let place = "\(scope.place)\(line) \(expression.position.offset ?? 0)"
    return Operand(
      node: .function(
        FunctionLibrary.randomUUID,
        [
          .now, storeUUID(), .constant(.text(scope.entity.name)), .key, .constant(.text(place)),
        ]), type: .uuid, position: expression.position, text: expression.description)
  }

  private mutating func storeUUID() -> BoundNode {
    if !lookups.contains(.store) { lookups.append(.store) }
    return .lookup(.store, .constant(.integer(0)))
  }

  /// A filter may be about objects of subentities, whose entity is not known here.
  private mutating func checkIsValue(_ expression: ValueExpression) -> Bool {
    if case .variable = scope.subject { return true }
    report(
      ExpressionCode.unsupported, "“\(expression)” is not supported in a filter",
      at: expression.position, reason: "it is for values",
      remedy: "write objectKey() for the object's key")
    return false
  }

  // MARK: Collections

  /// `join(separator, collection)`: the texts of a collection, joined in the order of their code
  /// units.
  mutating func joined(
    _ separator: ValueExpression, _ collection: CollectionOperand, _ expression: ValueExpression
  ) -> Operand {
    let separator = value(separator)
    guard separator.type.isText, collection.type.isText else {
      let (text, type, position) =
        separator.type.isText
        ? (collection.text, collection.type, collection.position)
        : (separator.text, separator.type, separator.position)
      return fail(
        ExpressionCode.wrongType, "join: takes texts, but “\(text)” is \(type.described)",
        at: position, remedy: "name an attribute that is a text")
    }
    return Operand(
      node: .function(
        FunctionLibrary.joinedTexts, [separator.node, .aggregate(.texts, collection.collection)]),
      type: .string, position: expression.position, text: expression.description)
  }
}
