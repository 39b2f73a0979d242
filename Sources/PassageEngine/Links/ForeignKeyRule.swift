internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageStores

/// A to-one relationship that is arithmetic: the related object's new key is its old key plus the
/// offset of the one entity mapping that takes it over, so it is written in the same sweep as the
/// attributes.
struct ForeignKeyRule {
  /// What becomes of a related object of one source entity.
  struct Arm: Hashable {
    var sourceNumber: Int
    var destinationNumber: Int
    var keyOffset: Int64
  }

  /// The destination columns, and the SQL over `s` that fills each.
  let columns: [(name: String, sql: String)]

  init(columns: [(name: String, sql: String)]) { self.columns = columns }

  /// - Parameters:
  ///   - relationship: the bound relationship; its path must be one to-one relationship.
  ///   - job: the entity mapping that has it.
  ///   - candidates: the step's entity mappings that the relationship's value asks.
  /// - Returns: `nil` when the links must be looked up instead: a related object may be filtered
  ///   out, left to a policy, or taken over more than once.
  init?(
    _ relationship: BoundRelationship, of job: MappingPlan, candidates: [MappingPlan],
    source: Model,
    sourceLayout: StoreLayout, largestKey: (String) -> Int64
  ) {
    guard !job.isMadeByPolicy, !job.isRelatedByPolicy, relationship.path.count == 1,
      let sourceEntity = job.source, let destinationEntity = job.destination,
      case .foreignKey(let column, let entityColumn, let orderColumn)? =
        destinationEntity.storage(ofRelationship: relationship.relationship.name),
      case .foreignKey(let sourceColumn, let sourceEntityColumn, let sourceOrderColumn)? =
        sourceEntity.storage(ofRelationship: relationship.path[0].name)
    else { return nil }
    var arms: [Arm] = []
    var isExhaustive = true
    for entity in source.family(of: relationship.pathEnd) where !entity.isAbstract {
      let takers = candidates.filter { $0.source?.name == entity.name }
      guard takers.count <= 1, takers.allSatisfy(\.isTotal) else { return nil }
      guard let taker = takers.first, let from = taker.source, let to = taker.destination else {
        isExhaustive = false
        continue
      }
      arms.append(
        Arm(
          sourceNumber: from.number, destinationNumber: to.number, keyOffset: taker.keyOffset))
    }
    guard let first = arms.first else { return nil }
    let key = "s.\(sourceColumn.quotedIdentifier)"
    let largest = sourceLayout.entity(named: relationship.pathEnd.name).map {
      largestKey($0.tableName)
    }
    func sum(_ offset: Int64) -> String { Self.sum(key, offset, largest ?? 0) }
    let number = sourceEntityColumn.map { "s.\($0.quotedIdentifier)" }
    let isUniform = isExhaustive && arms.allSatisfy { $0.keyOffset == first.keyOffset }
    var columns: [(name: String, sql: String)] = []
    if isUniform {
      columns.append((column, sum(first.keyOffset)))
    } else if let number {
      let cases = arms.map { "WHEN \($0.sourceNumber) THEN \(sum($0.keyOffset))" }
      columns.append((column, "CASE \(number) \(cases.joined(separator: " ")) END"))
    } else {
      return nil
    }
    if let entityColumn {
      if arms.count == 1, isExhaustive {
        columns.append(
          (entityColumn, "CASE WHEN \(key) IS NOT NULL THEN \(first.destinationNumber) END"))
      } else if let number {
        let cases = arms.map { "WHEN \($0.sourceNumber) THEN \($0.destinationNumber)" }
        columns.append((entityColumn, "CASE \(number) \(cases.joined(separator: " ")) END"))
      } else {
        return nil
      }
    }
    if let orderColumn {
      let order = sourceOrderColumn.map { "s.\($0.quotedIdentifier)" } ?? "s.\"Z_PK\""
      columns.append((orderColumn, "CASE WHEN \(key) IS NOT NULL THEN \(order) END"))
    }
    self.columns = columns
  }

  /// The new key. A key above the table's largest leads to no object; with an offset it could lead to
  /// one of another mapping, so it becomes NULL (`RUN-024` tells how many).
  private static func sum(_ key: String, _ offset: Int64, _ largest: Int64) -> String {
    offset == 0 ? key : "CASE WHEN \(key) <= \(largest) THEN \(key) + \(offset) END"
  }
}
