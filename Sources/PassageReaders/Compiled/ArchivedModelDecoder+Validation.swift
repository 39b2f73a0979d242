internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageModels
internal import PassageStores

extension ArchivedModelDecoder {
  /// Reads the bounds and the pattern in an attribute's validation predicates. Xcode writes
  /// `SELF >= 1`, `SELF <= 9`, `length >= 1`, `length <= 9` and `SELF MATCHES "…"`. Anything else
  /// was created in code, and is left out with a note.
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
      note("a validation of \(part) is not understood and is left out")
      return nil
    }
    return try readPredicate(object, of: "a validation of \(part)")
  }

  /// A predicate; `nil`, with a note, if it is not understood. Neither validation nor indexes
  /// affect the data of a store, so the model is useful without them.
  ///
  /// - Parameter owner: the part of the model that is left out with the predicate.
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
      note("\(owner) is not understood and is left out", reason: "\(error)")
      return nil
    }
  }

  private mutating func read(_ predicate: ObjectPredicate, into attribute: inout Attribute) {
    guard case .comparison(let comparison) = predicate, comparison.modifier == .direct,
      comparison.options.isEmpty, Self.isSubject(comparison.left, of: attribute.type),
      let text = Self.writtenBound(comparison.right, of: attribute.type)
    else { return leaveOut(predicate) }
    switch comparison.operator {
    case .greaterOrEqual where attribute.minimum == nil: attribute.minimum = text
    case .lessOrEqual where attribute.maximum == nil: attribute.maximum = text
    case .matches where attribute.regularExpression == nil: attribute.regularExpression = text
    default: leaveOut(predicate)
    }
  }

  /// Whether an expression is the subject of a bound for an attribute of this type: the value or
  /// its length.
  private static func isSubject(_ expression: ValueExpression, of type: AttributeType) -> Bool {
    switch expression {
    case .selfObject: true
    case .keyPath(nil, [.name("length")], _): type == .string
    default: false
    }
  }

  /// A bound in a model's notation: a number or a text, and for a date its seconds since 2001.
  private static func writtenBound(
    _ expression: ValueExpression, of type: AttributeType
  ) -> String? {
    switch expression {
    case .constant(let constant, _): constant.writtenText
    case .function(nil, "castObject:toType:", let arguments, _) where type == .date:
      switch arguments.first {
      case .constant(.real(let seconds), _)?:
        Int64(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
      case .constant(let seconds, _)?: seconds.writtenText
      default: nil
      }
    default: nil
    }
  }

  private mutating func leaveOut(_ predicate: ObjectPredicate) {
    note("a validation of \(part) is left out: \("\(predicate)".prefix(200))")
  }
}

extension Constant {
  /// The constant in a model's notation for bounds.
  fileprivate var writtenText: String? {
    switch self {
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .string(let text): text
    case .null, .boolean: nil
    }
  }
}
