internal import PassageExpressions
internal import PassageModels

/// Translates the predicate of a partial index to SQL (https://www.sqlite.org/partialindex.html).
///
/// A comparison with nil is written as Core Data writes it. Comparisons with constants, and
/// conjunctions of them, have the same meaning in SQL and in a predicate. Other predicates are not
/// translated, above all `!=` with a constant and comparisons of text that are not byte by byte.
struct PartialIndexCondition {
  /// The column of an attribute or to-one relationship, and the attribute's type.
  var column: (String) -> (name: String, type: AttributeType?)?

  /// The condition in SQL; `nil` for a predicate without a certain translation.
  func sql(_ text: String) -> String? {
    guard let predicate = try? FormatParser.predicate(text) else { return nil }
    return sql(predicate, isNested: false)
  }

  private func sql(_ predicate: ObjectPredicate, isNested: Bool) -> String? {
    switch predicate {
    case .truth, .not: return nil
    case .and(let parts): return joined(parts, " AND ", isNested: isNested)
    case .or(let parts): return joined(parts, " OR ", isNested: isNested)
    case .comparison(let comparison): return sql(comparison)
    }
  }

  private func joined(_ parts: [ObjectPredicate], _ word: String, isNested: Bool) -> String? {
    let found = parts.compactMap { sql($0, isNested: true) }
    guard found.count == parts.count else { return nil }
    let text = found.joined(separator: word)
    return isNested ? "(\(text))" : text
  }

  private func sql(_ comparison: Comparison) -> String? {
    guard comparison.modifier == .direct, comparison.options.isEmpty,
      case .keyPath(let operand, let components, _) = comparison.left, isObject(operand),
      components.count == 1, case .name(let name)? = components.first, let column = column(name)
    else { return nil }
    let cell = column.name.layoutIdentifier
    switch (comparison.operator, comparison.right) {
    case (.equal, .constant(.null, _)): return "\(cell) IS NULL"
    case (.notEqual, .constant(.null, _)): return "\(cell) IS NOT NULL"
    case (.equal, .constant(let constant, _)):
      return literal(constant, column.type, isOrdered: false).map { "\(cell) = \($0)" }
    case (.less, .constant(let constant, _)), (.lessOrEqual, .constant(let constant, _)),
      (.greater, .constant(let constant, _)), (.greaterOrEqual, .constant(let constant, _)):
      return literal(constant, column.type, isOrdered: true)
        .map { "\(cell) \(comparison.operator.rawValue) \($0)" }
    case (.between, .aggregate(let bounds, _)):
      let literals = literals(bounds, column.type, isOrdered: true)
      return literals.count == 2 && bounds.count == 2
        ? "\(cell) BETWEEN \(literals[0]) AND \(literals[1])" : nil
    case (.in, .aggregate(let elements, _)):
      let literals = literals(elements, column.type, isOrdered: false)
      return literals.count == elements.count && !elements.isEmpty
        ? "\(cell) IN (\(literals.joined(separator: ", ")))" : nil
    default: return nil
    }
  }

  private func isObject(_ operand: ValueExpression?) -> Bool {
    switch operand {
    case nil, .selfObject: true
    default: false
    }
  }

  private func literals(
    _ expressions: [ValueExpression], _ type: AttributeType?, isOrdered: Bool
  ) -> [String] {
    expressions.compactMap { expression in
      guard case .constant(let constant, _) = expression else { return nil }
      return literal(constant, type, isOrdered: isOrdered)
    }
  }

  /// A constant as an SQL literal, if a column of this type holds such values.
  private func literal(
    _ constant: Constant, _ type: AttributeType?, isOrdered: Bool
  ) -> String? {
    switch (constant, type) {
    case (.boolean(let value), .boolean): value ? "1" : "0"
    case (.integer(let value), .boolean) where value == 0 || value == 1: "\(value)"
    case (.integer(let value), .integer16), (.integer(let value), .integer32),
      (.integer(let value), .integer64), (.integer(let value), .double),
      (.integer(let value), .float), (.integer(let value), .decimal):
      "\(value)"
    case (.real(let value), .double), (.real(let value), .float), (.real(let value), .decimal):
      "\(value)"
    case (.string(let value), .string) where !isOrdered && !value.contains("\0"):
      value.textLiteral
    default: nil
    }
  }
}
