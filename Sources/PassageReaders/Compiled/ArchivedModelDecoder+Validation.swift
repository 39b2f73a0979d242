internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageModels

extension ArchivedModelDecoder {
  /// Reads the bounds and the pattern that an attribute's validation predicates state. Xcode writes
  /// `SELF >= 1`, `SELF <= 9`, `length >= 1`, `length <= 9` and `SELF MATCHES "…"`; anything else
  /// was made in code, and is left out with a note.
  mutating func readValidation(
    of object: KeyedArchive.Reference, into attribute: inout Attribute
  ) throws(KeyedArchiveError) {
    for item in try archive.elements("NSValidationPredicates", of: object) {
      guard let predicate = try validationPredicate(item) else { continue }
      switch predicate {
      case .truth(true): break
      case .and(let parts):
        for part in parts { read(part, into: &attribute) }
      default: read(predicate, into: &attribute)
      }
    }
  }

  private mutating func validationPredicate(
    _ item: KeyedArchive.Item
  ) throws(KeyedArchiveError) -> ObjectPredicate? {
    guard case .object(let object) = item else {
      note("a validation of \(part) is not understood and left out")
      return nil
    }
    return try readPredicate(object, of: "a validation of \(part)")
  }

  /// A predicate; `nil`, with a note, when it is not understood: neither validation nor indexes are
  /// part of what a store keeps, and a model is of use without them.
  ///
  /// - Parameter owner: what is left out with the predicate.
  mutating func readPredicate(
    _ object: KeyedArchive.Reference, of owner: String
  ) throws(KeyedArchiveError) -> ObjectPredicate? {
    var decoder = ArchivedExpressionDecoder(archive)
    do {
      let predicate = try decoder.predicate(object)
      archive = decoder.archive
      return predicate
    } catch .tooLarge {
      throw .tooLarge
    } catch {
      archive = decoder.archive
      note("\(owner) is not understood and left out", reason: "\(error)")
      return nil
    }
  }

  private mutating func read(_ predicate: ObjectPredicate, into attribute: inout Attribute) {
    guard case .comparison(let comparison) = predicate, comparison.modifier == .direct,
      comparison.options.isEmpty, Self.isSubject(comparison.left, of: attribute.type),
      case .constant(let constant, _) = comparison.right, let text = constant.writtenText
    else { return leaveOut(predicate) }
    switch comparison.operator {
    case .greaterOrEqual where attribute.minimum == nil: attribute.minimum = text
    case .lessOrEqual where attribute.maximum == nil: attribute.maximum = text
    case .matches where attribute.regularExpression == nil: attribute.regularExpression = text
    default: leaveOut(predicate)
    }
  }

  /// Whether an expression is what a bound of such an attribute is about: the value, or its length.
  private static func isSubject(_ expression: ValueExpression, of type: AttributeType) -> Bool {
    switch expression {
    case .selfObject: true
    case .keyPath(nil, [.name("length")], _): type == .string
    default: false
    }
  }

  private mutating func leaveOut(_ predicate: ObjectPredicate) {
    note("a validation of \(part) is left out: \(predicate)")
  }
}

extension Constant {
  /// The constant as a model writes a bound.
  fileprivate var writtenText: String? {
    switch self {
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .string(let text): text
    case .null, .boolean: nil
    }
  }
}
