internal import PassageExpressions

extension ObjectPredicate {
  /// Whether ``archived(in:)`` has a form for the predicate.
  var isArchivable: Bool {
    switch self {
    case .truth: true
    case .and(let parts), .or(let parts): parts.allSatisfy(\.isArchivable)
    case .not(let part): part.isArchivable
    case .comparison(let comparison):
      comparison.operator.rawOperatorType != nil && comparison.left.isArchivable
        && comparison.right.isArchivable
    }
  }

  /// Adds the predicate as an `NSPredicate`; returns the reference to it, `nil` for a predicate
  /// whose archived form is not known. Nothing is added then.
  ///
  /// The recursion is bounded by `FormatParser.maximumDepth`.
  func archived(in archiver: inout KeyedArchiver) -> PropertyList? {
    guard isArchivable else { return nil }
    switch self {
    case .truth(let truth): return archiver.add(truth ? .truth : .falsehood, [])
    // The numbers are those of NSCompoundPredicate.LogicalType.
    case .not(let part): return Self.compound([part], type: 0, in: &archiver)
    case .and(let parts): return Self.compound(parts, type: 1, in: &archiver)
    case .or(let parts): return Self.compound(parts, type: 2, in: &archiver)
    case .comparison(let comparison):
      // NONE is NOT ANY.
      guard comparison.modifier == .none else { return comparison.archived(in: &archiver) }
      var any = comparison
      any.modifier = .any
      return Self.compound([.comparison(any)], type: 0, in: &archiver)
    }
  }

  private static func compound(
    _ parts: [ObjectPredicate], type: Int64, in archiver: inout KeyedArchiver
  ) -> PropertyList {
    let parts = archiver.list(parts.compactMap { $0.archived(in: &archiver) }, .array)
    return archiver.add(
      .compound,
      [
        PropertyList.Member("NSCompoundPredicateType", .integer(type)),
        PropertyList.Member("NSSubpredicates", parts),
      ])
  }
}

extension Comparison {
  fileprivate func archived(in archiver: inout KeyedArchiver) -> PropertyList? {
    guard let type = `operator`.rawOperatorType, let left = left.archived(in: &archiver),
      let right = right.archived(in: &archiver)
    else { return nil }
    let operation = archiver.add(
      `operator`.archivedClass,
      [
        PropertyList.Member("NSOperatorType", .integer(Int64(type))),
        PropertyList.Member("NSModifier", .integer(modifierNumber)),
        PropertyList.Member(
          `operator`.archivedOptionsKey, .integer(Int64(options.rawValue))),
      ] + `operator`.archivedSettings)
    return archiver.add(
      .comparison,
      [
        PropertyList.Member("NSPredicateOperator", operation),
        PropertyList.Member("NSLeftExpression", left),
        PropertyList.Member("NSRightExpression", right),
      ])
  }

  /// The numbers of `NSComparisonPredicate.Modifier`.
  private var modifierNumber: Int64 {
    switch modifier {
    case .direct, .none: 0
    case .all: 1
    case .any: 2
    }
  }
}

extension ComparisonOperator {
  /// The class of the operator's object: one for each family of operators.
  fileprivate var archivedClass: KeyedArchiver.Class {
    switch self {
    case .equal, .notEqual: .init("NSEqualityPredicateOperator", "NSPredicateOperator")
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      .init("NSComparisonPredicateOperator", "NSPredicateOperator")
    case .matches:
      .init("NSMatchingPredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator")
    case .like: .init("NSLikePredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator")
    case .beginsWith, .endsWith:
      .init("NSSubstringPredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator")
    case .in, .contains, .typeConformsTo, .typeEquals:
      .init("NSInPredicateOperator", "NSPredicateOperator")
    case .between: .init("NSBetweenPredicateOperator", "NSPredicateOperator")
    }
  }

  /// The key of the options, which are those of `NSComparisonPredicate.Options`.
  fileprivate var archivedOptionsKey: String {
    switch self {
    case .matches, .like, .beginsWith, .endsWith: "NSFlags"
    default: "NSOptions"
    }
  }

  /// What the class of the operator's object adds.
  fileprivate var archivedSettings: [PropertyList.Member] {
    switch self {
    case .equal, .notEqual: [PropertyList.Member("NSNegate", .bool(self == .notEqual))]
    case .beginsWith: [PropertyList.Member("NSPosition", .integer(0))]
    case .endsWith: [PropertyList.Member("NSPosition", .integer(1))]
    default: []
    }
  }
}

extension KeyedArchiver.Class {
  fileprivate static let truth = Self("NSTruePredicate", "NSPredicate")
  fileprivate static let falsehood = Self("NSFalsePredicate", "NSPredicate")
  fileprivate static let compound = Self("NSCompoundPredicate", "NSPredicate")
  fileprivate static let comparison = Self("NSComparisonPredicate", "NSPredicate")
}
