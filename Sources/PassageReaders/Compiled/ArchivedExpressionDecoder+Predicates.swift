package import PassageExpressions
package import PassageStores

extension ArchivedExpressionDecoder {
  /// Decodes a predicate.
  ///
  /// - Throws: `wrongClass` for a predicate of an unknown kind, `tooDeep`, `tooLarge`, and the
  ///   errors of a damaged archive.
  package mutating func predicate(
    _ object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> ObjectPredicate {
    try enter()
    defer { depth -= 1 }
    let name = try archive.archive.classNames(of: object)[0]
    switch name {
    case "NSTruePredicate": return .truth(true)
    case "NSFalsePredicate": return .truth(false)
    case "NSCompoundPredicate": return try compound(object)
    case "NSComparisonPredicate": return .comparison(try comparison(object))
    default: throw .wrongClass(name, expected: "a predicate that can be read")
    }
  }

  /// Decodes the predicate under a key, which must exist.
  mutating func subpredicate(
    _ key: String, of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> ObjectPredicate {
    guard let predicate = try archive.object(key, of: object) else { throw .missing(key: key) }
    return try self.predicate(predicate)
  }

  private mutating func compound(
    _ object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> ObjectPredicate {
    var parts: [ObjectPredicate] = []
    for item in try archive.elements("NSSubpredicates", of: object) {
      guard case .object(let part) = item else {
        throw .wrongKind(key: "NSSubpredicates", expected: "a list of predicates")
      }
      parts.append(try predicate(part))
    }
    // The numbers are those of NSCompoundPredicate.LogicalType.
    switch (try archive.integer("NSCompoundPredicateType", of: object) ?? 0, parts.count) {
    case (0, 1): return .not(parts[0])
    case (1, 0): return .truth(true)
    case (2, 0): return .truth(false)
    case (1, 1), (2, 1): return parts[0]
    case (1, _): return .and(parts)
    case (2, _): return .or(parts)
    default:
      throw .wrongKind(
        key: "NSCompoundPredicateType", expected: "a type that fits the number of subpredicates")
    }
  }

  private mutating func comparison(
    _ object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> Comparison {
    guard let operation = try archive.object("NSPredicateOperator", of: object) else {
      throw .missing(key: "NSPredicateOperator")
    }
    let number = try archive.integer("NSOperatorType", of: operation) ?? 0
    guard
      let symbol = ComparisonOperator.allCases.first(where: {
        $0.rawOperatorType.map(Int64.init) == number
      })
    else { throw .wrongKind(key: "NSOperatorType", expected: "a known operator") }
    let modifier: Comparison.Modifier
    switch try archive.integer("NSModifier", of: operation) ?? 0 {
    case 0: modifier = .direct
    case 1: modifier = .all
    case 2: modifier = .any
    default: throw .wrongKind(key: "NSModifier", expected: "a known modifier")
    }
    // The bits of NSComparisonPredicate.Options are those of ComparisonOptions. Operators on texts
    // have them under another key.
    let plain = try archive.integer("NSOptions", of: operation)
    let flags = try archive.integer("NSFlags", of: operation)
    let options = plain ?? flags ?? 0
    return Comparison(
      try operand("NSLeftExpression", of: object), symbol,
      try operand("NSRightExpression", of: object),
      options: ComparisonOptions(rawValue: UInt8(truncatingIfNeeded: options & 0xF)),
      modifier: modifier)
  }
}
