internal import PassageExpressions

extension ValueExpression {
  /// Whether ``archived(in:)`` has a form for the expression.
  var isArchivable: Bool {
    switch self {
    case .constant, .selfObject, .variable: true
    case .keyPath(let operand, let components, _):
      operand?.isArchivable != false
        && components.allSatisfy { if case .placeholder = $0 { false } else { true } }
    case .function(nil, _, let arguments, _): arguments.allSatisfy(\.isArchivable)
    case .aggregate(let elements, _): elements.allSatisfy(\.isArchivable)
    default: false
    }
  }

  /// Adds the expression as an `NSExpression`; returns the reference to it, `nil` for an expression
  /// whose archived form is not known. Nothing is added then.
  ///
  /// The recursion is bounded by `FormatParser.maximumDepth`.
  func archived(in archiver: inout KeyedArchiver) -> PropertyList? {
    guard isArchivable else { return nil }
    return object(in: &archiver)
  }

  /// Adds an expression that is archivable.
  private func object(in archiver: inout KeyedArchiver) -> PropertyList {
    switch self {
    case .constant(let constant, _):
      return Self.constant(constant.archived(in: &archiver), in: &archiver)
    case .variable(let name, _):
      return Self.add(
        .variable, type: 2, [PropertyList.Member("NSVariable", archiver.text(name))], &archiver)
    case .keyPath(let operand, let components, _):
      return Self.path(components, from: operand ?? .selfObject(), in: &archiver)
    case .function(_, let selector, let arguments, _):
      if let seconds = dateSeconds {
        return Self.constant(archiver.date(seconds), in: &archiver)
      }
      return Self.call(selector, arguments.map { $0.object(in: &archiver) }, in: &archiver)
    case .aggregate(let elements, _):
      let list = archiver.list(elements.map { $0.object(in: &archiver) }, .array)
      return Self.add(
        .aggregate, type: 14, [PropertyList.Member("NSCollection", list)], &archiver)
    default: return Self.add(.selfObject, type: 1, [], &archiver)
    }
  }

  /// The seconds of a date constant, which has no literal: `CAST(seconds, "NSDate")`.
  private var dateSeconds: Double? {
    guard case .function(nil, "castObject:toType:", let arguments, _) = self,
      arguments.count == 2, case .constant(.string("NSDate"), _) = arguments[1],
      case .constant(let constant, _) = arguments[0]
    else { return nil }
    return switch constant {
    case .real(let seconds): seconds
    case .integer(let seconds): Double(seconds)
    default: nil
    }
  }

  private static func constant(
    _ value: PropertyList, in archiver: inout KeyedArchiver
  ) -> PropertyList {
    add(.constant, type: 0, [PropertyList.Member("NSConstantValue", value)], &archiver)
  }

  /// A key path is a call of `valueForKeyPath:` or, if it has one component, `valueForKey:`.
  private static func path(
    _ components: [KeyPathComponent], from operand: ValueExpression,
    in archiver: inout KeyedArchiver
  ) -> PropertyList {
    let names = components.map { component in
      switch component {
      case .name(let name): name
      case .collectionOperator(let name): "@\(name)"
      case .placeholder: ""
      }
    }
    let start = operand.object(in: &archiver)
    let specifier = add(
      .keyPathSpecifier, type: 10,
      [PropertyList.Member("NSKeyPath", archiver.text(names.joined(separator: ".")))], &archiver)
    return add(
      .keyPath, type: 4,
      [
        PropertyList.Member("NSOperand", start),
        PropertyList.Member(
          "NSSelectorName", archiver.text(names.count == 1 ? "valueForKey:" : "valueForKeyPath:")),
        PropertyList.Member("NSArguments", archiver.list([specifier])),
      ], &archiver)
  }

  /// A predefined function is a call of the class that has them.
  private static func call(
    _ selector: String, _ arguments: [PropertyList], in archiver: inout KeyedArchiver
  ) -> PropertyList {
    let holder = add(
      .constant, type: 0,
      [
        PropertyList.Member(
          "NSConstantValueClassName", archiver.text("_NSPredicateUtilities"))
      ], &archiver)
    return add(
      .function, type: 4,
      [
        PropertyList.Member("NSOperand", holder),
        PropertyList.Member("NSSelectorName", archiver.text(selector)),
        PropertyList.Member("NSArguments", archiver.list(arguments, .array)),
      ], &archiver)
  }

  /// - Parameter type: the number in `NSExpression.ExpressionType`.
  private static func add(
    _ kind: KeyedArchiver.Class, type: Int64, _ members: [PropertyList.Member],
    _ archiver: inout KeyedArchiver
  ) -> PropertyList {
    archiver.add(kind, [PropertyList.Member("NSExpressionType", .integer(type))] + members)
  }
}

extension Constant {
  fileprivate func archived(in archiver: inout KeyedArchiver) -> PropertyList {
    switch self {
    case .null: KeyedArchiver.null
    case .boolean(let flag): archiver.scalar(.bool(flag))
    case .integer(let number): archiver.scalar(.integer(number))
    case .real(let number): archiver.scalar(.real(number))
    case .string(let text): archiver.text(text)
    }
  }
}

extension KeyedArchiver.Class {
  fileprivate static let constant = Self("NSConstantValueExpression", "NSExpression")
  fileprivate static let selfObject = Self("NSSelfExpression", "NSExpression")
  fileprivate static let variable = Self("NSVariableExpression", "NSExpression")
  fileprivate static let keyPath = Self(
    "NSKeyPathExpression", "NSFunctionExpression", "NSExpression")
  fileprivate static let keyPathSpecifier = Self("NSKeyPathSpecifierExpression", "NSExpression")
  fileprivate static let function = Self("NSFunctionExpression", "NSExpression")
  fileprivate static let aggregate = Self("NSAggregateExpression", "NSExpression")
}
