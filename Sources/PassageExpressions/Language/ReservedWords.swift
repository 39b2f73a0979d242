/// The reserved words of the grammar, in any case. A property with such a name is written with a
/// `#` before it.
enum ReservedWords {
  /// Apple's list of reserved words (Predicate Programming Guide, "Reserved words"), and the names
  /// of forms that only have a meaning before a parenthesis or between two values.
  static let all: Set<String> = reserved.union(contextual)

  /// Words that cannot be the name of a property.
  static let reserved: Set<String> = [
    "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI",
    "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE",
    "YES", "FALSE", "NO", "FIRST", "LAST", "SIZE", "ANYKEY", "SUBQUERY", "FETCH", "CAST",
    "TRUEPREDICATE", "FALSEPREDICATE",
  ]

  /// Words that can be the name of a property where nothing else fits. They are still printed with
  /// a `#`.
  static let contextual: Set<String> = ["FUNCTION", "TERNARY", "UNION", "INTERSECT", "MINUS"]

  /// The words that may be between two values or conditions, for "did you mean".
  static let operators = [
    "AND", "OR", "IN", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH", "BETWEEN", "UNION",
    "INTERSECT", "MINUS", "UTI-CONFORMS-TO", "UTI-EQUALS",
  ]
}
