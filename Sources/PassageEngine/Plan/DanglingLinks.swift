internal import PassageDiagnostics
internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Counts the links of the source that lead to no object and cannot be kept, so that none is dropped
/// in silence: those whose key lies above the related table's largest, where keys get an offset.
struct DanglingLinks {
  let step: StepRun

  /// - Returns: a warning `RUN-024` for each relationship that has such links.
  /// - Complexity: O(log n) for each relationship that Core Data's index on its key answers.
  func warnings(_ connection: Connection) throws -> Diagnostics {
    var warnings = Diagnostics()
    for job in step.jobs {
      guard let source = job.source else { continue }
      for relationship in job.bound.relationships
      where step.foreignKeyRule(of: job, relationship) != nil
        && step.candidates(relationship).contains(where: { $0.keyOffset != 0 })
      {
        let name = relationship.path[0].name
        guard case .foreignKey(let column, _, _)? = source.storage(ofRelationship: name),
          let table = step.sourceLayout.entity(named: relationship.pathEnd.name)?.tableName
        else { continue }
        let count = try connection.integer(
          "SELECT count(*) FROM \(source.tableName.quotedIdentifier) "
            + "WHERE \(column.quotedIdentifier) > ? AND Z_ENT = ?",
          [.integer(step.extents[table]?.largest ?? 0), .integer(Int64(source.number))])
        guard count > 0 else { continue }
        warnings.append(
          Diagnostic(
            "RUN-024",
            "\(count) objects of “\(source.name)” have a “\(name)” that is not in the store",
            severity: .warning, reason: "the source refers to keys that no object has",
            remedy: "these relationships are empty in the migrated store"))
      }
    }
    return warnings
  }
}
