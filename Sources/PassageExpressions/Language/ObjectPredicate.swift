/// A condition on an object: what NSPredicate's format language can say, as a tree.
///
/// ``description`` prints a tree so that it parses back to itself.
package indirect enum ObjectPredicate: Sendable, Hashable {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case truth(Bool)
  /// All of them hold; two or more.
  case and([ObjectPredicate])
  /// At least one of them holds; two or more.
  case or([ObjectPredicate])
  /// The predicate does not hold. Every predicate either holds or does not: there is no third
  /// answer.
  case not(ObjectPredicate)
  /// One comparison.
  case comparison(Comparison)
}

/// `left operator right`, with the options and the modifier it may have.
package struct Comparison: Sendable, Hashable {
  /// How a collection on the left is compared.
  package enum Modifier: String, Sendable, Hashable {
    /// The left value itself.
    case direct = ""
    /// At least one element; also written `SOME`.
    case any = "ANY"
    /// Every element; holds for an empty collection.
    case all = "ALL"
    /// No element: `NOT ANY`.
    case none = "NONE"
  }

  /// How the left side is compared.
  package var modifier: Modifier
  /// The left side.
  package var left: ValueExpression
  /// The operator.
  package var `operator`: ComparisonOperator
  /// The letters in brackets after the operator.
  package var options: ComparisonOptions
  /// The right side.
  package var right: ValueExpression
  /// Where the operator is in its text.
  package var position: SourcePosition

  /// Makes a comparison.
  package init(
    _ left: ValueExpression, _ operator: ComparisonOperator, _ right: ValueExpression,
    options: ComparisonOptions = [], modifier: Modifier = .direct,
    at position: SourcePosition = .none
  ) {
    self.modifier = modifier
    self.left = left
    self.operator = `operator`
    self.options = options
    self.right = right
    self.position = position
  }
}

/// An operator of a comparison, spelt as it is printed.
package enum ComparisonOperator: String, Sendable, Hashable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  /// Within two bounds, both included.
  case between = "BETWEEN"
  /// An element of the right side, or a part of the text on the right.
  case `in` = "IN"
  /// Has the right side as an element, or as a part of its text.
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  /// Fits a pattern of `?` (one character) and `*` (any number) as a whole.
  case like = "LIKE"
  /// Fits an ICU regular expression as a whole.
  case matches = "MATCHES"
  case typeConformsTo = "UTI-CONFORMS-TO"
  case typeEquals = "UTI-EQUALS"

  /// `NSPredicateOperatorType`'s number; `nil` for the two type operators, which have none.
  package var rawOperatorType: Int? {
    switch self {
    case .less: 0
    case .lessOrEqual: 1
    case .greater: 2
    case .greaterOrEqual: 3
    case .equal: 4
    case .notEqual: 5
    case .matches: 6
    case .like: 7
    case .beginsWith: 8
    case .endsWith: 9
    case .in: 10
    case .contains: 99
    case .between: 100
    case .typeConformsTo, .typeEquals: nil
    }
  }
}

/// The letters in brackets after an operator, as in `==[cd]`.
package struct ComparisonOptions: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `c`: letters that differ in case only are equal.
  package static let caseInsensitive = ComparisonOptions(rawValue: 1)
  /// `d`: letters that differ in diacritics only are equal.
  package static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
  /// `n`: texts are compared as they are; takes the place of `c` and `d`.
  package static let normalized = ComparisonOptions(rawValue: 4)
  /// `l`: asks for the rules of a locale.
  package static let localeSensitive = ComparisonOptions(rawValue: 8)

  /// The letters with their meaning, in the order they are printed.
  static let letters: [(letter: Unicode.Scalar, option: ComparisonOptions)] = [
    ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized),
    ("l", .localeSensitive),
  ]
}
