import PassageDiagnostics
import PassageModels
import PassageValues

extension BindingPass {
  /// Binds `a.b.c`: relationships, an attribute, properties of its value, with collection operators
  /// in between.
  mutating func keyPath(
    _ operand: ValueExpression?, _ components: [KeyPathComponent], _ expression: ValueExpression,
    at position: SourcePosition
  ) -> Meaning {
    for case .placeholder(let conversion) in components {
      return .value(
        fail(
          ExpressionCode.unsupported, "there is no argument for %\(conversion)", at: position,
          remedy: "write the key path itself, or give the arguments"))
    }
    if case .element(let collection, let index, _)? = operand {
      return item(of: collection, index, components[...], expression)
    }
    if case .function(nil, Self.itemSelector, let arguments, _)? = operand, arguments.count == 2 {
      return item(of: arguments[0], .at(arguments[1]), components[...], expression)
    }
    let start: Meaning
    switch operand {
    case nil, .selfObject?:
      guard checkSubject(nil, at: position) else { return .value(anything(position)) }
      start = .value(self.operand(root, at: position, text: "SELF"))
    case let operand?: start = meaning(operand)
    }
    return properties(components[...], of: start, expression, at: position)
  }

  /// The largest number of relationships in a key path. Each needs up to two tables, and SQLite
  /// joins at most 64 (https://www.sqlite.org/limits.html#max_tables_in_join).
  static let maximumRelationships = 30

  /// The object under test.
  var root: Subject { Subject(start: scope.entity, entity: scope.entity) }

  func anything(_ position: SourcePosition) -> Operand {
    Operand(node: .constant(.null), type: .any, position: position, text: "")
  }

  /// The properties of a value, or of every element of a collection.
  mutating func properties(
    _ components: ArraySlice<KeyPathComponent>, of start: Meaning, _ expression: ValueExpression,
    at position: SourcePosition
  ) -> Meaning {
    var names: [String] = []
    for (index, component) in zip(components.indices, components) {
      switch component {
      case .name(let name): names.append(name)
      case .collectionOperator(let name):
        return collectionOperator(
          name, start, names, components[(index + 1)...], expression, at: position)
      case .placeholder: return .value(anything(position))
      }
    }
    return walk(names[...], from: start, expression, at: position)
  }

  mutating func walk(
    _ names: ArraySlice<String>, from start: Meaning, _ expression: ValueExpression,
    at position: SourcePosition
  ) -> Meaning {
    if names.isEmpty { return start }
    switch start {
    case .value(let operand):
      guard let subject = operand.subject else { return .value(properties(names, of: operand)) }
      return walk(names, from: subject, expression, at: position)
    case .collection(let collection):
      return .collection(map(collection, names, expression, at: position))
    }
  }

  /// Binds a path of names. `self` is the object itself.
  private mutating func walk(
    _ names: ArraySlice<String>, from start: Subject, _ expression: ValueExpression,
    at position: SourcePosition
  ) -> Meaning {
    var walk = KeyPathWalk(from: start)
    var rest = names
    var leaf: Attribute?
    while leaf == nil, let name = rest.first {
      let entity = walk.entity
      if let attribute = scope.model.attribute(name, of: entity) {
        guard isReadable(attribute, of: entity, at: position) else {
          return .value(anything(position))
        }
        leaf = attribute
      } else if let relationship = scope.model.relationship(name, of: entity) {
        guard let next = destination(of: relationship, entity, at: position) else {
          return .value(anything(position))
        }
        guard walk.relationships.count < Self.maximumRelationships else {
          return .value(
            fail(
              ExpressionCode.limit,
              "a key path leads through more than \(Self.maximumRelationships) relationships",
              at: position, remedy: "compute the value in a policy"))
        }
        walk.follow(relationship, to: next)
      } else if name.lowercased() != "self" {
        let walked = walk.relationships
        let collection =
          walk.collected == nil ? mappedText : walked.map(\.name).joined(separator: ".")
        return .value(
          fail(
            ExpressionCode.unknownKeyPath, "“\(entity.name)” has no property “\(name)”",
            at: position.ofComponent(rest.startIndex - names.startIndex, of: names.count),
            remedy: remedy(
              forUnknown: name, of: entity, collection: collection,
              isBare: names.count == 1 && walked.isEmpty && start.element == nil)))
      }
      rest.removeFirst()
    }
    let subject = walk.subject
    guard let collected = walk.collected else {
      return .value(value(of: subject, leaf, rest, expression, at: position))
    }
    let collection = related(
      to: collected.start, by: collected.relationships, subject.start, at: position,
      text: expression.description)
    return .collection(elements(of: collection, subject, leaf, rest, expression, at: position))
  }

  /// A collection of related objects, or of the values that the rest of the path has for each of
  /// them.
  private mutating func elements(
    of related: CollectionOperand, _ subject: Subject, _ leaf: Attribute?,
    _ rest: ArraySlice<String>, _ expression: ValueExpression, at position: SourcePosition
  ) -> CollectionOperand {
    guard let element = related.subject else { return related }
    let subject = subject.moved(to: element.element)
    if subject.relationships.isEmpty, leaf == nil { return related }
    let value = value(of: subject, leaf, rest, expression, at: position)
    var collection = related
    collection.collection.value = value.node
    collection.type = value.type
    collection.subject = value.subject
    collection.isSingle = value.isSingle
    collection.isDistinct = false
    return collection
  }

  private mutating func value(
    of subject: Subject, _ leaf: Attribute?, _ rest: ArraySlice<String>,
    _ expression: ValueExpression,
    at position: SourcePosition
  ) -> Operand {
    guard let leaf else {
      return operand(subject, at: position, text: expression.description)
    }
    let names = subject.relationships.map(\.name) + [leaf.name]
    let operand = Operand(
      node: cell(.attribute(leaf), of: subject), type: ValueType(leaf.type), position: position,
      text: written(expression, without: rest) ?? names.joined(separator: "."),
      isSingle: leaf.type == .float)
    return properties(rest, of: operand)
  }

  /// The text of a key path after a variable, `$source.owner.name`, without the last names, so that
  /// a remedy can be pasted. `nil` for a path from the object under test.
  private func written(_ expression: ValueExpression, without rest: ArraySlice<String>) -> String? {
    guard case .keyPath(.variable?, let components, _) = expression, components.count > rest.count
    else { return nil }
    let text = expression.description
    let end = rest.map { ".\($0)" }.joined()
    return text.hasSuffix(end) ? String(text.dropLast(end.count)) : nil
  }

  /// The collection of one property of all elements.
  mutating func map(
    _ collection: CollectionOperand, _ names: ArraySlice<String>, _ expression: ValueExpression,
    at position: SourcePosition
  ) -> CollectionOperand {
    var result = collection
    let outer = mappedText
    mappedText = collection.text
    defer { mappedText = outer }
    switch walk(names, from: .value(collection.element), expression, at: position) {
    case .value(let value):
      result.collection.value = value.node
      result.type = value.type
      result.subject = value.subject
      result.isSingle = value.isSingle
      if case .object = value.type, names.allSatisfy({ $0.lowercased() == "self" }) {
        return result
      }
      result.isDistinct = false
    case .collection(let inner):
      // Elements of elements need one continuous path from the first object; here the path was
      // split.
      _ = fail(
        ExpressionCode.unsupported,
        "“\(inner.text)” is a collection for each object of a collection",
        at: position, remedy: "write one key path that begins at the object, or nest SUBQUERY")
    }
    return result
  }

  private mutating func destination(
    of relationship: Relationship, _ entity: Entity, at position: SourcePosition
  ) -> Entity? {
    guard !relationship.isTransient else {
      report(
        ExpressionCode.unsupported,
        "“\(relationship.name)” of “\(entity.name)” is transient: the store does not contain it",
        at: position)
      return nil
    }
    if let found = scope.model.entity(named: relationship.destinationEntityName) { return found }
    report(
      ExpressionCode.unknownKeyPath,
      "the model has no entity “\(relationship.destinationEntityName)”, the destination of "
        + "“\(relationship.name)”",
      at: position)
    return nil
  }

  private mutating func isReadable(
    _ attribute: Attribute, of entity: Entity, at position: SourcePosition
  ) -> Bool {
    if attribute.type == .composite {
      report(
        ExpressionCode.unsupported,
        "“\(attribute.name)” of “\(entity.name)” is a composite attribute, which has no value of its own",
        at: position,
        reason: "which columns hold its elements is not known, so a policy cannot read them either",
        remedy: "let the app copy its elements into other attributes, and read those")
      return false
    }
    guard attribute.isStored else {
      report(
        ExpressionCode.unsupported,
        "“\(attribute.name)” of “\(entity.name)” is transient: the store does not contain it",
        at: position)
      return false
    }
    return true
  }

  // MARK: Properties of values

  /// Binds the properties that Foundation's classes offer for key-value coding.
  private mutating func properties(_ names: ArraySlice<String>, of operand: Operand) -> Operand {
    var result = operand
    for name in names where name.lowercased() != "self" { result = property(name, of: result) }
    return result
  }

  /// The properties of each type.
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
        ("longValue", .integerFromNumber, .integer),
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
      if case .object(let entityName) = operand.type, hasProperty(name, entityName) {
        return fail(
          ExpressionCode.unsupported, "“\(name)” of “\(operand.text)” cannot be read",
          at: operand.position, text: text,
          reason: "properties are read only of objects to which a key path leads")
      }
      let names = properties.map(\.0)
      let suggestion = nearest(to: name, in: names).map { "did you mean “\($0)”?" }
      return fail(
        ExpressionCode.unknownKeyPath,
        "“\(operand.text)” is \(operand.type.described) and has no property “\(name)”",
        at: operand.position, text: text,
        remedy: HabitualWords.property(name, of: operand.type)?.replacing("{}", with: operand.text)
          ?? suggestion
          ?? (names.isEmpty ? nil : "its properties are \(names.joined(separator: ", "))"))
    }
    var node = operand.node
    if let function = property.1 {
      node = fold(operand.precise(function), [node], at: operand.position)
    } else if name == "timeIntervalSince1970" {
      // Seconds from 1970-01-01 to 2001-01-01.
      node = fold(.add, node, .constant(.real(978_307_200)), isReal: true)
    }
    return Operand(node: node, type: property.2, position: operand.position, text: text)
  }

  private func hasProperty(_ name: String, _ entityName: String) -> Bool {
    guard let entity = scope.model.entity(named: entityName) else { return false }
    return scope.model.attribute(name, of: entity) != nil
      || scope.model.relationship(name, of: entity) != nil
  }
}
