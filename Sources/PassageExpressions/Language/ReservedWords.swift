/// The words that mean something to the grammar. They are recognised in any case; a property of
/// that name is written with a `#` before it.
enum ReservedWords {
  /// Apple's list of reserved words (Predicate Programming Guide, "Reserved words"), and the names
  /// of forms that only mean something before a parenthesis or between two values.
  static let all: Set<String> = reserved.union(contextual)

  /// Words that cannot stand for a property.
  static let reserved: Set<String> = [
    "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI",
    "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE",
    "YES", "FALSE", "NO", "FIRST", "LAST", "SIZE", "ANYKEY", "SUBQUERY", "FETCH", "CAST",
    "TRUEPREDICATE", "FALSEPREDICATE",
  ]

  /// Words that can stand for a property where nothing else fits; printed with a `#` all the same.
  static let contextual: Set<String> = ["FUNCTION", "TERNARY", "UNION", "INTERSECT", "MINUS"]

  /// What may be between two values or conditions, for "did you mean".
  static let operators = [
    "AND", "OR", "IN", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH", "BETWEEN", "UNION",
    "INTERSECT", "MINUS", "UTI-CONFORMS-TO", "UTI-EQUALS",
  ]
}
