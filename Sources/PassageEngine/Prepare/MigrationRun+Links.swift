internal import PassageDiagnostics
internal import PassageModels
internal import PassagePlanning
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Links of the finished store that lead to no object. A source may have them, and a key that is copied keeps
/// what it was; but files of other types cannot have them.
extension MigrationRun {
  /// Counts such links: of required to-one relationships, and of all where the store becomes a file of another
  /// type.
  ///
  /// - Parameter path: of the sealed store of the last step.
  /// - Returns: a warning `RUN-024` for each relationship that has some.
  /// - Throws: `VAL-002` for a required relationship that would be empty in a file of another type.
  /// - Complexity: O(n) look-ups in the links of these relationships.
  func checkLinks(of path: String) throws -> Diagnostics {
    guard let model = steps.last?.destination else { return Diagnostics() }
    let isConverted = options.output.type != nil
    let asked = model.entities.flatMap { entity in
      entity.relationships.filter { relationship in
        !relationship.isTransient && !relationship.isToMany
          && (isConverted || !relationship.isOptional)
      }.map { (entity: entity, relationship: $0) }
    }
    guard !asked.isEmpty else { return Diagnostics() }
    let store = try StoreFile.openUnchanging(path: path)
    let connection = try store.connection
    control.stopStatements(of: connection)
    let layout = try store.layout(of: model)
    var found = Diagnostics()
    for (entity, relationship) in asked {
      try control.checkCancellation()
      guard let owner = layout.entity(named: entity.name),
        let related = layout.entity(named: relationship.destinationEntityName),
        let rows = LinkRows(ofRelationship: relationship.name, of: owner), rows.row == .owner
      else { continue }
      let key = "o.\(rows.related.quotedIdentifier)"
      let there = "SELECT 1 FROM \(related.tableName.quotedIdentifier) AS r WHERE r.Z_PK = \(key)"
      let family = owner.familyNumbers
      let links: String =
        "FROM \(owner.tableName.quotedIdentifier) AS o WHERE "
        + "o.Z_ENT BETWEEN \(family.lowerBound) AND \(family.upperBound) "
        + "AND \(key) IS NOT NULL AND NOT EXISTS (\(there))"
      let first = try connection.rows("SELECT o.Z_PK \(links) LIMIT 5").compactMap { $0[0].integer }
      guard !first.isEmpty else { continue }
      let count = try connection.integer("SELECT count(*) \(links)")
      found.append(
        linkToNothing(
          "“\(entity.name).\(relationship.name)”", count, first,
          isRefused: isConverted && !relationship.isOptional, isKept: !isConverted))
    }
    try found.throwing(.policyFailed)
    return found
  }

  private func linkToNothing(
    _ what: String, _ count: Int64, _ first: [Int64], isRefused: Bool, isKept: Bool
  ) -> Diagnostic {
    let keys =
      "the source refers to keys that no object has; the first objects with such links have the keys "
      + first.map(String.init).joined(separator: ", ")
    if isRefused {
      return Diagnostic(
        "VAL-002",
        "\(what) is required, and leads to no object: \(NumberText.count(count, "object"))",
        reason: keys,
        remedy: "look for damage in the source; filter these objects out, or make the relationship "
          + "optional")
    }
    return Diagnostic(
      "RUN-024",
      "\(NumberText.count(count, "link")) of \(what) lead\(count == 1 ? "s" : "") to no object of the "
        + "store", severity: .warning, reason: keys,
      remedy: isKept
        ? "look for damage in the source; these links are kept as they are"
        : "look for damage in the source; these links are left out of the file")
  }
}
