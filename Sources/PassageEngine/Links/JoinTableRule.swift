internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageStores

/// A many-to-many relationship that is arithmetic on both ends: every pair of the source's join
/// table becomes one pair of the destination's.
struct JoinTableRule {
  let destination: JoinTable
  let source: JoinTable
  /// SQL over the source's join table `j`, one for each column of the destination's.
  let cells: [String]
  /// The source column that fills the destination's first column: the order of the copy.
  let leadingColumn: String
  /// Leaves pairs out whose ends are no keys, and those that lead to no object and, with an offset,
  /// could lead to a wrong one.
  let condition: String
  /// What holds for the pairs that are left out. Core Data's indexes on both columns answer it.
  let exclusion: String
  let followingColumn: String

  /// - Returns: `nil` when the pairs must be looked up instead: an end may be filtered out, left to
  ///   a policy, taken over more than once or with different offsets.
  init?(_ relationship: BoundRelationship, of job: MappingPlan, step: StepPlan) {
    guard relationship.path.count == 1, let from = job.source, let to = job.destination,
      case .joinTable(let sourceTable, let sourceThis, let sourceOther, let sourceOrder)? =
        from.storage(ofRelationship: relationship.path[0].name),
      case .joinTable(let table, let this, let other, let order)? =
        to.storage(ofRelationship: relationship.relationship.name),
      !sourceTable.isSelfInverse, !table.isSelfInverse,
      let ownerOffset = Self.commonOffset(
        ofFamily: sourceTable.owner.column == sourceThis
          ? sourceTable.owner.entityName : sourceTable.other.entityName, step: step,
        among: step.jobs.filter { other in
          other.bound.relationships.contains {
            $0.path == relationship.path && $0.target == relationship.target
              && $0.relationship.name == relationship.relationship.name
          }
        }),
      let targetOffset = Self.commonOffset(
        ofFamily: relationship.pathEnd.name, step: step, among: step.candidates(relationship))
    else { return nil }
    source = sourceTable
    destination = table
    func sum(_ column: String, _ offset: Int64) -> String {
      "j.\(column.quotedIdentifier)" + (offset == 0 ? "" : " + \(offset)")
    }
    // The place on the other end comes from the source when the source is ordered there too.
    let otherSourceOrder =
      sourceTable.owner.column == sourceThis
      ? sourceTable.other.orderColumn : sourceTable.owner.orderColumn
    let otherOrder =
      table.owner.column == this ? table.other.orderColumn : table.owner.orderColumn
    cells = table.columns.map { column in
      switch column {
      case this: return sum(sourceThis, ownerOffset)
      case other: return sum(sourceOther, targetOffset)
      case order: return "j.\((sourceOrder ?? sourceOther).quotedIdentifier)"
      case otherOrder: return "j.\((otherSourceOrder ?? sourceThis).quotedIdentifier)"
      default: return "NULL"
      }
    }
    var conditions: [String] = []
    var exclusions: [String] = []
    for (column, offset, entity) in [
      (sourceThis, ownerOffset, from.name), (sourceOther, targetOffset, relationship.pathEnd.name),
    ] {
      let cell = "j.\(column.quotedIdentifier)"
      // Numbers come before texts and blobs: https://www.sqlite.org/datatype3.html, section 4.1.
      conditions.append(" AND \(cell) < ''")
      exclusions.append("\(cell) IS NULL OR \(cell) >= ''")
      guard offset != 0 else { continue }
      let table = step.sourceLayout.entity(named: entity)?.tableName ?? ""
      let largest = step.extent.keys[table]?.largest ?? 0
      conditions.append(" AND \(cell) <= \(largest)")
      exclusions.append("\(cell) > \(largest) AND \(cell) < ''")
    }
    condition = conditions.joined()
    // In one order, so that both sides of a relationship say the same.
    exclusion = exclusions.sorted().joined(separator: " OR ")
    leadingColumn = table.columns.first == this ? sourceThis : sourceOther
    followingColumn = leadingColumn == sourceThis ? sourceOther : sourceThis
  }

  /// The offset that every object of an entity and its subentities gets; `nil` when it is not the
  /// same for all, or when one of them may get no object or several.
  private static func commonOffset(
    ofFamily name: String, step: StepPlan, among jobs: [MappingPlan]
  ) -> Int64? {
    guard let entity = step.source.entity(named: name) else { return nil }
    var offset: Int64?
    for member in step.source.family(of: entity) where !member.isAbstract {
      let takers = jobs.filter { $0.source?.name == member.name }
      guard takers.count == 1, takers[0].isTotal, !takers[0].isRelatedByPolicy,
        offset == nil || offset == takers[0].keyOffset
      else { return nil }
      offset = takers[0].keyOffset
    }
    return offset
  }
}
