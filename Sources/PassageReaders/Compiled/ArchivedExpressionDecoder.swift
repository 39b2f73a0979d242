package import PassageExpressions
internal import PassageModels
package import PassageStores
internal import PassageValues

/// Converts archived `NSExpression` objects into trees of this project's expression language.
///
/// `NSExpressionType` and the class determine the kind of a node. The keys are those that Xcode's
/// compilers write. Depth is bounded, and every node counts as a step of the ``KeyedUnarchiver``.
package struct ArchivedExpressionDecoder: Sendable {
  /// The deepest nesting of expressions and predicates that is accepted.
  package static let maximumDepth = 64
  /// The longest key path in bytes: that of a text that is parsed.
  package static let maximumKeyPathBytes = FormatParser.maximumBytes

  package var archive: KeyedUnarchiver
  var depth = 0

  package init(_ archive: KeyedUnarchiver) { self.archive = archive }

  /// Decodes an expression.
  ///
  /// - Throws: `wrongClass` for an expression of an unknown kind, `tooDeep`, `tooLarge`, and the
  ///   errors of a damaged archive.
  package mutating func expression(
    _ object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> ValueExpression {
    try enter()
    defer { depth -= 1 }
    let name = try archive.archive.classNames(of: object)[0]
    switch name {
    case "NSConstantValueExpression": return try constant(object)
    case "NSSelfExpression": return .selfObject()
    case "NSVariableExpression", "NSVariableAssignmentExpression":
      guard let variable = try archive.string("NSVariable", of: object) else {
        throw .missing(key: "NSVariable")
      }
      guard name == "NSVariableAssignmentExpression" else { return .variable(variable) }
      return .assignment(variable, try operand("NSAssignmentExpression", of: object))
    case "NSKeyPathSpecifierExpression":
      guard let path = try archive.string("NSKeyPath", of: object) else {
        throw .missing(key: "NSKeyPath")
      }
      return .keyPath(nil, try components(path, key: "NSKeyPath"))
    case "NSKeyPathExpression", "NSFunctionExpression": return try function(object)
    case "NSFetchRequestExpression":
      return .fetch(
        try operand("NSFRExpression", of: object),
        context: try operand("NSMOCExpression", of: object),
        countOnly: try archive.flag("NSCountOnlyFlag", of: object))
    case "NSAggregateExpression": return .aggregate(try operands("NSCollection", of: object))
    case "NSTernaryExpression":
      return .conditional(
        try subpredicate("NSPredicate", of: object),
        then: try operand("NSTrueExpression", of: object),
        otherwise: try operand("NSFalseExpression", of: object))
    default: throw .wrongClass(name, expected: "an expression that can be read")
    }
  }

  mutating func enter() throws(KeyedArchiveError) {
    try archive.spend(1)
    guard depth < Self.maximumDepth else { throw .tooDeep }
    depth += 1
  }

  /// Decodes the expression under a key, which must exist.
  mutating func operand(
    _ key: String, of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> ValueExpression {
    guard let operand = try archive.object(key, of: object) else { throw .missing(key: key) }
    return try expression(operand)
  }

  private mutating func operands(
    _ key: String, of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> [ValueExpression] {
    var operands: [ValueExpression] = []
    for item in try archive.elements(key, of: object) {
      guard case .object(let operand) = item else {
        throw .wrongKind(key: key, expected: "a list of expressions")
      }
      operands.append(try expression(operand))
    }
    return operands
  }

  // MARK: Kinds

  private mutating func constant(
    _ object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> ValueExpression {
    let item = try archive.archive.item("NSConstantValue", of: object)
    switch item {
    case .null: return .constant(.null)
    case .bool(let flag): return .constant(.boolean(flag))
    case .integer(let number): return .constant(.integer(number))
    case .real(let number):
      guard number.isFinite else {
        throw .wrongKind(key: "NSConstantValue", expected: "a finite number")
      }
      return .constant(.real(number))
    case .string(let text): return .constant(.string(text))
    case .date(let seconds): return try Self.date(seconds)
    case .object(let value):
      if let text = try archive.string(item) { return .constant(.string(text)) }
      if let single = try single(item, value) { return single }
      var values: [ValueExpression] = []
      for element in try archive.elements(of: value) {
        switch element {
        case .integer(let number): values.append(.constant(.integer(number)))
        case .real(let number) where number.isFinite: values.append(.constant(.real(number)))
        case .bool(let flag): values.append(.constant(.boolean(flag)))
        default:
          guard let text = try archive.string(element) else {
            throw .wrongKind(key: "NSConstantValue", expected: "a constant that can be written")
          }
          values.append(.constant(.string(text)))
        }
      }
      let classes = try archive.archive.classNames(of: value)
      guard classes.contains("NSArray") || classes.contains("NSSet") else {
        throw .wrongKind(key: "NSConstantValue", expected: "a constant that can be written")
      }
      return .aggregate(values)
    case .data, .list:
      throw .wrongKind(key: "NSConstantValue", expected: "a constant that can be written")
    }
  }

  /// A constant of a class with one value: `NSNull`, `NSDate`, `NSDecimalNumber`; `nil` for any
  /// other.
  private func single(
    _ item: KeyedArchive.Item, _ value: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> ValueExpression? {
    switch try archive.archive.classNames(of: value)[0] {
    case "NSNull": return .constant(.null)
    case "NSDate":
      switch try archive.archive.item("NS.time", of: value) {
      case .real(let seconds): return try Self.date(seconds)
      case .integer(let seconds): return try Self.date(Double(seconds))
      default: throw .wrongKind(key: "NS.time", expected: "a number of seconds")
      }
    case "NSDecimalNumber", "NSDecimalNumberPlaceholder":
      var archive = archive
      switch try archive.defaultValue(item, as: .decimal) {
      case .integer(let number): return .constant(.integer(number))
      case .real(let number) where number.isFinite: return .constant(.real(number))
      default: throw .wrongKind(key: "NSConstantValue", expected: "a constant that can be written")
      }
    default: return nil
    }
  }

  /// Seconds since 2001-01-01 UTC as a point in time.
  private static func date(_ seconds: Double) throws(KeyedArchiveError) -> ValueExpression {
    guard seconds.isFinite else {
      throw .wrongKind(key: "NSConstantValue", expected: "a point in time")
    }
    return .function(
      target: nil, selector: "castObject:toType:",
      arguments: [.constant(.real(seconds)), .constant(.string("NSDate"))])
  }

  /// A function or a key path. A key path is archived as a call of `valueForKeyPath:` or, if it has
  /// one component, `valueForKey:`.
  private mutating func function(
    _ object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> ValueExpression {
    guard let selector = try archive.string("NSSelectorName", of: object) else {
      throw .missing(key: "NSSelectorName")
    }
    let target = try target(of: object)
    let arguments = try operands("NSArguments", of: object)
    let isPath = selector == "valueForKeyPath:" || selector == "valueForKey:"
    guard isPath, arguments.count == 1 else {
      return .function(target: target, selector: selector, arguments: arguments)
    }
    switch arguments[0] {
    case .keyPath(nil, let components, _): return path(from: target, components)
    case .constant(.string(let text), _):
      return path(from: target, try components(text, key: "NSConstantValue"))
    default: return .function(target: target, selector: selector, arguments: arguments)
    }
  }

  /// `SELF.a` is written `a`.
  private func path(from target: ValueExpression?, _ components: [KeyPathComponent])
    -> ValueExpression
  {
    if case .selfObject? = target { return .keyPath(nil, components) }
    return .keyPath(target, components)
  }

  /// The target of a function call; `nil` for the class that has the predefined functions.
  private mutating func target(
    of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> ValueExpression? {
    guard let target = try archive.object("NSOperand", of: object) else { return nil }
    let holder = try archive.string("NSConstantValueClassName", of: target)
    return holder == nil || holder == "$null" ? try expression(target) : nil
  }

  /// The components of a key path, each a step; `@count` is a collection operator.
  private mutating func components(
    _ path: String, key: String
  ) throws(KeyedArchiveError) -> [KeyPathComponent] {
    guard path.utf8.count <= Self.maximumKeyPathBytes else {
      throw .wrongKind(
        key: key, expected: "a key path of at most \(Self.maximumKeyPathBytes) bytes")
    }
    let names = path.split(separator: ".", omittingEmptySubsequences: false)
    try archive.spend(names.count)
    return names.map {
      $0.hasPrefix("@") ? .collectionOperator(String($0.dropFirst())) : .name(String($0))
    }
  }
}
