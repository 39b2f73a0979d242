import PassageDiagnostics
import PassageModels

/// Remedies for unknown names and for values that cannot be compared.
extension BindingPass {
  /// - Parameters:
  ///   - name: a name that is not a property of `entity`.
  ///   - collection: the names that lead to a collection of objects of the entity; `nil` for one
  ///     object.
  ///   - isBare: whether the name is the whole key path, from the object under test.
  func remedy(
    forUnknown name: String, of entity: Entity, collection: String?, isBare: Bool
  ) -> String? {
    let names =
      scope.model.attributes(of: entity).map(\.name)
      + scope.model.relationships(of: entity).map(\.name)
    if let collection,
      let remedy = HabitualWords.collectionProperties[name.lowercased()]
    {
      return remedy.replacing("{}", with: collection)
    }
    if let variable = variable(with: name) { return "write $\(variable).\(name)" }
    if isBare, let remedy = HabitualWords.values[name.lowercased()],
      !names.contains(where: { $0.lowercased() == name.lowercased() })
    {
      return remedy
    }
    if let suggestion = nearest(to: name, in: names) { return "did you mean “\(suggestion)”?" }
    if collection == nil, [entity.name.lowercased(), "source"].contains(name.lowercased()) {
      return "name the property alone, without “\(name).” before it"
    }
    guard !names.isEmpty else { return nil }
    let list = "its properties are " + names.sorted().joined(separator: ", ")
    return isBare ? "put a text in quotation marks, as in “\"\(name)\"”; \(list)" : list
  }

  /// The variable of an enclosing SUBQUERY whose elements have a property with this name.
  private func variable(with name: String) -> String? {
    variables.sorted { $0.key < $1.key }.first { variable, meaning in
      guard variable != Self.elementVariable, case .value(let operand) = meaning,
        let subject = operand.subject
      else { return false }
      return scope.model.attribute(name, of: subject.entity) != nil
        || scope.model.relationship(name, of: subject.entity) != nil
    }?.key
  }

  /// A way to compare values of two different types; `nil` if there is none.
  func remedy(forComparing left: Operand, with right: Operand) -> String? {
    let example = "\"2024-01-31T12:00:00Z\""
    switch (left.type, right.type) {
    case (.boolean, .string): return "write YES or NO, without quotation marks"
    case (.integer, .string), (.real, .string):
      return "leave out the quotation marks around the number"
    case (.string, .integer), (.string, .real): return "write the number in quotation marks"
    case (.date, .integer), (.date, .real):
      return "write a text such as \(example), or compare \(left.text).timeIntervalSince1970"
    case (.integer, .date), (.real, .date):
      return "compare with \(right.text).timeIntervalSince1970"
    case (.date, .string): return "write parseDate(\(right.text))"
    case (.string, .date): return "write parseDate(\(left.text))"
    case (.binary, .string): return "write CAST(\(right.text), \"NSData\"), in Base64"
    case (.uuid, .string): return "compare \(left.text).UUIDString"
    case (.string, .uuid): return "compare with \(right.text).UUIDString"
    case (.object(let name), let other): return remedy(forObject: left, of: name, beside: other)
    case (let other, .object(let name)): return remedy(forObject: right, of: name, beside: other)
    default: return nil
    }
  }

  private func remedy(
    forObject operand: Operand, of entityName: String, beside other: ValueType
  ) -> String? {
    if case .object = other { return nil }
    guard let entity = scope.model.entity(named: entityName) else { return nil }
    let attributes = scope.model.attributes(of: entity).filter(\.isStored)
    let fitting = attributes.first { isComparable(ValueType($0.type), other) } ?? attributes.first
    let path = operand.text == "SELF" ? "" : operand.text + "."
    return fitting.map { "compare a property of the object, as in \(path)\($0.name)" }
  }

  /// The remedy if a function of a collection does not accept elements of this type.
  func remedy(forAggregated type: ValueType) -> String? {
    guard case .object(let name) = type, let entity = scope.model.entity(named: name) else {
      return nil
    }
    let attribute = scope.model.attributes(of: entity).first { ValueType($0.type).isNumber }
    return attribute.map { "name an attribute of the objects, as in .\($0.name)" }
  }

  /// The remedy for a call with an operand of the wrong type.
  func remedy(
    forArgument operand: Operand, of expression: ValueExpression, _ operands: [Operand]
  ) -> String? {
    guard case .function(nil, let selector, _, _) = expression else { return nil }
    let types = operands.map(\.type)
    switch selector {
    case "add:to:" where types.contains(.string): return "concatenate(a, b) joins texts"
    case "from:subtract:" where types.contains(.date):
      let text = operands.first { $0.type == .string }
      return text.map { "write parseDate(\($0.text)) for a date" }
    case "onesComplement:" where types.contains(.string):
      return "write MATCHES for a regular expression"
    case "length:" where operand.type == .binary: return "write \(operand.text).length"
    default:
      return operand.type == .string && operands.contains { $0.type.isNumber }
        ? "write CAST(\(operand.text), \"NSNumber\") for the number in the text" : nil
    }
  }
}
