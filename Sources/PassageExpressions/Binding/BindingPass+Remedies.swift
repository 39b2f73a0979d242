import PassageDiagnostics
import PassageModels
import PassageValues

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
    guard canTry else { return nil }
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
    let list = "its properties are " + shortList(of: names.sorted())
    let isBareText = isBare && canBeText(name)
    return isBareText ? "put a text in quotation marks, as in “\"\(name)\"”; \(list)" : list
  }

  /// Whether a text may be what was meant by a name. Beside a number it is not.
  private func canBeText(_ name: String) -> Bool {
    guard let compared, canTry else { return true }
    let path = ValueExpression.path(nil, name)
    let other =
      compared.right == path ? compared.left : compared.left == path ? compared.right : nil
    return switch other.flatMap({ boundType(of: $0) }) {
    case .boolean, .integer, .real: false
    default: true
    }
  }

  /// The variable of an enclosing SUBQUERY whose elements have a property with this name.
  private func variable(with name: String) -> String? {
    variables.sorted { $0.key < $1.key }.first { variable, meaning in
      guard !Self.isElementVariable(variable), case .value(let operand) = meaning,
        let subject = operand.subject
      else { return false }
      return scope.model.attribute(name, of: subject.entity) != nil
        || scope.model.relationship(name, of: subject.entity) != nil
    }?.key
  }

  /// A way to compare values of two different types; `nil` if there is none.
  func remedy(forComparing left: Operand, with right: Operand) -> String? {
    guard canTry else { return nil }
    switch (left.type, right.type) {
    case (.boolean, .string):
      return right.constant == nil ? nil : "write YES or NO, without quotation marks"
    case (.integer, .string), (.real, .string): return remedy(forText: right, beside: left)
    case (.string, .integer), (.string, .real): return remedy(forText: left, beside: right)
    case (.date, .integer), (.date, .real):
      let seconds = property("timeIntervalSince1970", ofValue: left, beside: right.type)
      return "write a text such as \"2024-01-31T12:00:00Z\""
        + (seconds.map { ", or compare \($0)" } ?? "")
    case (.integer, .date), (.real, .date):
      return property("timeIntervalSince1970", ofValue: right, beside: left.type)
        .map { "compare with \($0)" }
    case (.date, .string):
      return proposal("parseDate(\(right.text))", beside: .date).map { "write \($0)" }
    case (.string, .date):
      return proposal("parseDate(\(left.text))", beside: .date).map { "write \($0)" }
    case (.binary, .string):
      return proposal("CAST(\(right.text), \"NSData\")", beside: .binary)
        .map { "write \($0), in Base64" }
    case (.uuid, .string):
      return property("UUIDString", ofValue: left, beside: .string).map { "compare \($0)" }
    case (.string, .uuid):
      return property("UUIDString", ofValue: right, beside: .string).map { "compare with \($0)" }
    case (.object(let name), let other): return remedy(forObject: left, of: name, beside: other)
    case (let other, .object(let name)): return remedy(forObject: right, of: name, beside: other)
    default: return nil
    }
  }

  private func remedy(forText text: Operand, beside number: Operand) -> String? {
    if text.constant != nil { return remedy(forNumberIn: text) }
    if case .constant? = Self.parsed(number.text) { return "write the number in quotation marks" }
    return remedy(forNumberIn: text)
      ?? proposal("CAST(\(number.text), \"NSString\")", beside: .string)
      .map { "write \($0) for the number as a text" }
  }

  /// How to write the number that a text contains, or the property of which it is the name.
  func remedy(forNumberIn text: Operand) -> String? {
    guard let constant = text.constant else {
      return proposal("CAST(\(text.text), \"NSNumber\")", beside: .real)
        .map { "write \($0) for the number in the text" }
    }
    guard let string = constant.string else { return nil }
    switch Self.parsed(string) {
    case .constant(.integer, _)?, .constant(.real, _)?:
      return "leave out the quotation marks around the number"
    default:
      return property(named: string, beside: .real)
        .map { "write \($0) without quotation marks for the property" }
    }
  }

  /// The expression for a property of the object under test; `nil` if it has none of this name that
  /// can be compared with a value of the type.
  func property(named name: String, beside other: ValueType) -> String? {
    let object: ValueExpression? =
      if case .variable(let name) = scope.subject { .variable(name) } else { nil }
    return proposal(ValueExpression.path(object, name).description, beside: other)
  }

  private func remedy(
    forObject operand: Operand, of entityName: String, beside other: ValueType
  ) -> String? {
    if case .object = other { return nil }
    guard let entity = scope.model.entity(named: entityName) else { return nil }
    let attributes = scope.model.attributes(of: entity).filter(\.isStored)
    guard let fitting = attributes.first(where: { isComparable(ValueType($0.type), other) })
    else { return nil }
    let path =
      operand.text == "SELF"
      ? proposal(fitting.name, beside: other)
      : property(fitting.name, ofValue: operand, beside: other)
    return path.map { "compare a property of the object, as in \($0)" }
      ?? "compare a property of the object, such as “\(fitting.name)”"
  }

  /// A way to make a value of the type that an attribute takes; `nil` if there is none.
  func remedy(forConverting operand: Operand, to type: ValueType) -> String? {
    let text = operand.text
    switch (operand.type, type) {
    case (.date, .real), (.date, .integer):
      return property("timeIntervalSinceReferenceDate", ofValue: operand, beside: .real)
        .map { "write \($0), or .timeIntervalSince1970" }
    case (.integer, .date), (.real, .date):
      return proposal("CAST(\(text), \"NSDate\")", beside: .date)
        .map { "write \($0) for seconds since 2001-01-01 UTC" }
    case (.uuid, .string):
      return property("UUIDString", ofValue: operand, beside: .string).map { "write \($0)" }
    case (.binary, .string):
      return proposal("textFromData(\(text), 'utf-8')", beside: .string).map {
        "write \($0), or another encoding such as 'base64' or 'hex'"
      }
    case (_, .string):
      return proposal("CAST(\(text), \"NSString\")", beside: .string).map { "write \($0)" }
    case (.string, .binary):
      return proposal("dataFromText(\(text), 'utf-8')", beside: .binary).map {
        "write \($0), or another encoding such as 'base64' or 'hex'"
      }
    case (.string, .boolean):
      if operand.constant != nil { return "write YES or NO, without quotation marks" }
      return proposal(
        "TERNARY(\(text) IN {'1', 'true', 'yes', 'YES'}, YES, NO)", beside: .boolean
      ).map { "write \($0) for the texts that mean yes" }
    case (.string, .uuid):
      return proposal("CAST(\(text), \"NSUUID\")", beside: .uuid).map { "write \($0)" }
    case (.string, .date):
      return proposal("parseDate(\(text))", beside: .date).map {
        "write \($0), or parseDateOrNull if a text that is not a date should become nil"
      }
    case (.string, .integer), (.string, .real): return remedy(forNumberIn: operand)
    default: return nil
    }
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
      return text.flatMap { proposal("parseDate(\($0.text))", beside: .date) }
        .map { "write \($0) for a date" }
    case "onesComplement:" where types.contains(.string):
      return "write MATCHES for a regular expression"
    case "length:" where operand.type == .binary:
      return property("length", ofValue: operand, beside: .integer).map { "write \($0)" }
    default:
      return operand.type == .string && operands.contains { $0.type.isNumber }
        ? remedy(forNumberIn: operand) : nil
    }
  }
}
