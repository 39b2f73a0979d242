internal import PassageExpressions
internal import PassageModels

extension ModelArchiver {
  /// The bounds and the pattern of an attribute as predicates, as Xcode writes them: `SELF >= 1`,
  /// `length <= 9`, `SELF MATCHES "…"`. Absent if there are none.
  mutating func validation(of attribute: Attribute) -> [PropertyList.Member] {
    let isText = attribute.type == .string
    let isDate = attribute.type == .date
    let subject: ValueExpression = isText ? .path(nil, "length") : .selfObject()
    var predicates: [Comparison] = []
    if let minimum = attribute.minimum.flatMap({ Self.bound($0, isDate: isDate) }) {
      predicates.append(Comparison(subject, .greaterOrEqual, minimum))
    }
    if let maximum = attribute.maximum.flatMap({ Self.bound($0, isDate: isDate) }) {
      predicates.append(Comparison(subject, .lessOrEqual, maximum))
    }
    if let pattern = attribute.regularExpression {
      predicates.append(Comparison(.selfObject(), .matches, .constant(.string(pattern))))
    }
    let archived = predicates.compactMap {
      ObjectPredicate.comparison($0).archived(in: &archiver)
    }
    guard !archived.isEmpty else { return [] }
    return [PropertyList.Member("NSValidationPredicates", archiver.list(archived, .array))]
  }

  private static func bound(_ text: String, isDate: Bool) -> ValueExpression? {
    if isDate {
      return Double(text).map {
        .function(
          target: nil, selector: "castObject:toType:",
          arguments: [.constant(.real($0)), .constant(.string("NSDate"))])
      }
    }
    if let whole = Int64(text) { return .constant(.integer(whole)) }
    return Double(text).flatMap { $0.isFinite ? .constant(.real($0)) : nil }
  }
}
