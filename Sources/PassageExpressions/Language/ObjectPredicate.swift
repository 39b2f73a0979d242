/// A condition on an object in the form of a tree, for everything that NSPredicate's format
/// language can express.
///
/// ``description`` prints a tree so that parsing gives it back.
package indirect enum ObjectPredicate: Sendable, Hashable {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case truth(Bool)
  /// All of them are true; two or more.
  case and([ObjectPredicate])
  /// At least one of them is true; two or more.
  case or([ObjectPredicate])
  /// The predicate is false. Every predicate is either true or false; there is no third result.
  case not(ObjectPredicate)
  /// One comparison.
  case comparison(Comparison)
}

/// `left operator right`, with its options and modifier.
package struct Comparison: Sendable, Hashable {
  /// How a collection on the left is compared.
  package enum Modifier: String, Sendable, Hashable {
    /// The left value itself.
    case direct = ""
    /// At least one element; also written `SOME`.
    case any = "ANY"
    /// Every element; true for an empty collection.
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

  /// Creates a comparison.
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

/// An operator of a comparison, spelled as it is printed.
package enum ComparisonOperator: String, Sendable, Hashable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  /// Between two bounds, both included.
  case between = "BETWEEN"
  /// The left side is an element of the right side, or a part of the text on the right.
  case `in` = "IN"
  /// The left side has the right side as an element, or as a part of its text.
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  /// The whole text matches a pattern of `?` (one character) and `*` (any number of characters).
  case like = "LIKE"
  /// The whole text matches an ICU regular expression.
  case matches = "MATCHES"
  case typeConformsTo = "UTI-CONFORMS-TO"
  case typeEquals = "UTI-EQUALS"

  /// The number in `NSPredicateOperatorType`; `nil` for the two type operators, which have none.
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

  /// `c`: letters that differ only in case are equal.
  package static let caseInsensitive = ComparisonOptions(rawValue: 1)
  /// `d`: letters that differ only in diacritics are equal.
  package static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
  /// `n`: texts are compared unchanged; it overrides `c` and `d`.
  package static let normalized = ComparisonOptions(rawValue: 4)
  /// `l`: requests the rules of a locale.
  package static let localeSensitive = ComparisonOptions(rawValue: 8)

  /// The letters and their options, in the order in which they are printed.
  static let letters: [(letter: Unicode.Scalar, option: ComparisonOptions)] = [
    ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized),
    ("l", .localeSensitive),
  ]
}
