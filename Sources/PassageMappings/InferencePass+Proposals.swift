internal import PassageDiagnostics
internal import PassageExpressions
import PassageModels
internal import PassageValues

/// Values that a draft proposes.
extension InferencePass {
  /// The mapping with the first of several expressions; with the default value if there is none.
  func proposal(of expressions: [String?], for new: Attribute) -> PropertyMapping {
    guard let expression = expressions.compactMap(\.self).first else {
      return PropertyMapping(name: new.name, source: .leftAtDefault)
    }
    return PropertyMapping(name: new.name, expression: expression)
  }

  /// Whether an expression over a source entity gives values of an attribute.
  func accepts(_ text: String?, for attribute: Attribute, of entity: Entity) -> Bool {
    guard let text, let expression = try? FormatParser.expression(text, at: nil) else {
      return false
    }
    let scope = BindingScope.value(model: source, entity: entity)
    return (try? Binder.expression(expression, in: scope, expecting: attribute.type)) != nil
  }

  /// An expression for a first value of a required attribute: its default, or zero, an empty text, the
  /// time of the migration, a new UUID; `nil` if there is none.
  func firstValue(of attribute: Attribute, _ entity: Entity) -> String? {
    let standard = InferenceDefault.expression(attribute.defaultValue, as: attribute.type)
    if let standard { return standard.description }
    let candidate: String? =
      switch attribute.type {
      case .integer16, .integer32, .integer64, .decimal, .double, .float: "0"
      case .boolean: "NO"
      case .string: "''"
      case .uri: "'about:blank'"
      case .date: "now()"
      case .uuid: "randomUUID()"
      case .binary, .transformable: "dataFromText('', 'utf-8')"
      case .undefined, .objectID, .composite: nil
      }
    return accepts(candidate, for: attribute, of: entity) ? candidate : nil
  }

  /// The objects that an entity mapping made from the source object itself.
  static func objects(madeBy mapping: String) -> String {
    ValueExpression.function(
      target: .variable("manager"), selector: RelationshipValue.mappingSelector,
      arguments: [.constant(.string(mapping)), .variable("source")]
    ).description
  }
}
