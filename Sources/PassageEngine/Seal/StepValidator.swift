internal import PassageDiagnostics
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Validates the assembled store of a step by the rules that Core Data applies when it saves
/// objects: required attributes, required relationships, minimum and maximum counts. It runs once,
/// over the whole store.
struct StepValidator {
  private let step: StepRun
  private let store: PassStore
  private let suspects: Set<MissingValues.Suspect>

  /// - Parameter suspects: the required attributes that may be nil somewhere.
  init(step: StepRun, store: PassStore, suspects: Set<MissingValues.Suspect>) {
    self.step = step
    self.store = store
    self.suspects = suspects
  }

  /// All mistakes: `VAL-001` for a required attribute that is nil, `VAL-002` for a required to-one
  /// relationship that is empty, `VAL-003` for too few related objects, `VAL-004` for too many.
  func findings() throws -> Diagnostics {
    var findings = Diagnostics()
    try missingAttributes(&findings)
    for entity in step.plan.destination.entities {
      guard let layout = step.plan.destinationLayout.entity(named: entity.name) else { continue }
      for relationship in entity.relationships where !relationship.isTransient {
        guard let stored = LinkRows(ofRelationship: relationship.name, of: layout) else {
          continue
        }
        try judge(relationship, entity: layout, stored, &findings)
      }
    }
    return findings
  }

  private func missingAttributes(_ findings: inout Diagnostics) throws {
    let sorted = suspects.sorted { ($0.entity, $0.attribute) < ($1.entity, $1.attribute) }
    for suspect in sorted {
      guard let layout = step.plan.destinationLayout.entity(named: suspect.entity),
        let column = layout.columnName(ofAttribute: suspect.attribute)
      else { continue }
      let condition = "Z_ENT = \(layout.number) AND \(column.quotedIdentifier) IS NULL"
      try report(
        "VAL-001", "“\(suspect.entity).\(suspect.attribute)” is required and has no value",
        "SELECT Z_PK FROM main.\(layout.tableName.quotedIdentifier) WHERE \(condition)",
        remedy: "give the property a “default” in the mapping, filter these objects out, or make "
          + "the attribute optional", &findings)
    }
  }

  private func judge(
    _ relationship: Relationship, entity: EntityLayout, _ stored: LinkRows,
    _ findings: inout Diagnostics
  ) throws {
    let family =
      "o.Z_ENT BETWEEN \(entity.familyNumbers.lowerBound) AND \(entity.familyNumbers.upperBound)"
    let table = "main.\(entity.tableName.quotedIdentifier)"
    let what = "“\(entity.name).\(relationship.name)”"
    if stored.row == .owner {
      if !relationship.isOptional {
        try report(
          "VAL-002", "\(what) is required and empty",
          "SELECT o.Z_PK FROM \(table) AS o "
            + "WHERE o.\(stored.related.quotedIdentifier) IS NULL AND \(family)",
          remedy: "map the relationship, migrate the objects it leads to, or make it optional",
          &findings)
      }
      return
    }
    let (holder, key) = (stored.table, stored.owner)
    let links = "main.\(holder.quotedIdentifier) AS l WHERE l.\(key.quotedIdentifier) = o.Z_PK"
    // Core Data saves an empty required to-many relationship that has no minimum count.
    if !relationship.isOptional, relationship.minimumCount > 0 {
      try report(
        "VAL-003", "\(what) is required and empty",
        "SELECT o.Z_PK FROM \(table) AS o WHERE \(family) AND NOT EXISTS (SELECT 1 FROM \(links))",
        remedy: "map the relationship, migrate the objects it leads to, or make it optional",
        &findings)
    }
    // An optional relationship may be empty, but if it is not, the minimum and maximum apply.
    let counts =
      "(SELECT l.\(key.quotedIdentifier) AS k, count(*) AS n FROM main.\(holder.quotedIdentifier) "
      + "AS l WHERE l.\(key.quotedIdentifier) IS NOT NULL GROUP BY 1) AS c "
      + "JOIN \(table) AS o ON o.Z_PK = c.k AND \(family)"
    if relationship.minimumCount > 1 {
      try report(
        "VAL-003", "\(what) needs at least \(relationship.minimumCount) objects",
        "SELECT o.Z_PK FROM \(counts) WHERE c.n < \(relationship.minimumCount)",
        remedy: "map the missing objects, or lower the minimum count", &findings)
    }
    if relationship.maximumCount > 1 {
      try report(
        "VAL-004", "\(what) allows at most \(relationship.maximumCount) objects",
        "SELECT o.Z_PK FROM \(counts) WHERE c.n > \(relationship.maximumCount)",
        remedy: "filter objects out, or raise the maximum count", &findings)
    }
  }

  /// Reports the objects whose keys a query returns in its only column.
  private func report(
    _ code: String, _ message: String, _ query: String, remedy: String,
    _ findings: inout Diagnostics
  ) throws {
    let first = try store.connection.rows("\(query) LIMIT 6").compactMap { $0[0].integer }
    guard !first.isEmpty else { return }
    let count =
      first.count < 6
      ? Int64(first.count) : try store.connection.integer("SELECT count(*) FROM (\(query))")
    let keys = first.prefix(5).map(String.init).joined(separator: ", ")
    findings.append(
      Diagnostic(
        code, "\(message): \(count) object\(count == 1 ? "" : "s")",
        reason: "the first keys are \(keys)", remedy: remedy))
  }
}
