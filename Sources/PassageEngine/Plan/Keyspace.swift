internal import PassageDiagnostics
internal import PassageStores

/// Gives each entity mapping of a step its key offset, so that mappings into one table never
/// collide.
///
/// Keys are unique in a source table, so entity mappings that read different entities of one table
/// share an offset: the keys of a hierarchy are kept as they are. Any further feed of a table gets
/// the keys above those before it. Objects that a policy makes beside the first get keys above all
/// feeds.
struct Keyspace {
  /// The keys a source table has.
  struct Extent: Hashable {
    var smallest: Int64
    var largest: Int64

    /// The keys that stand `offset` above these, which must have been found to fit.
    func range(offset: Int64) -> ClosedRange<Int64> {
      smallest &+ offset...max(smallest, largest) &+ offset
    }
  }

  private struct Feed {
    var sourceTable: String
    var sourceEntities: Set<String>
    var offset: Int64
  }

  /// By destination table, the first key above every feed.
  private(set) var firstExtraKeys: [String: Int64] = [:]
  /// By destination table, the source tables whose keys it keeps.
  private(set) var keptTables: [String: String] = [:]

  /// Assigns the offsets.
  ///
  /// - Parameters:
  ///   - mappingPlans: the entity mappings of all passes of the step, in order.
  ///   - extents: the keys of each source table that has rows.
  /// - Throws: `RUN-021` when the keys of a table cannot be told apart in 64 bits.
  static func assign(
    _ mappingPlans: inout [MappingPlan], extents: [String: Extent]
  ) throws(MigrationError) -> Keyspace {
    var keyspace = Keyspace()
    var feeds: [String: [Feed]] = [:]
    for index in mappingPlans.indices {
      guard let destination = mappingPlans[index].destination else { continue }
      let table = destination.tableName
      guard let source = mappingPlans[index].source else {
        keyspace.firstExtraKeys[table] = max(keyspace.firstExtraKeys[table] ?? 1, 1)
        continue
      }
      if let shared = feeds[table]?.firstIndex(where: {
        $0.sourceTable == source.tableName && !$0.sourceEntities.contains(source.name)
      }) {
        feeds[table]?[shared].sourceEntities.insert(source.name)
        mappingPlans[index].keyOffset = feeds[table]?[shared].offset ?? 0
        mappingPlans[index].keyRange = extents[source.tableName]?.range(
          offset: mappingPlans[index].keyOffset)
        continue
      }
      let extent = extents[source.tableName]
      let first = keyspace.firstExtraKeys[table] ?? 1
      let offset = first - 1
      let (end, overflow) = max(extent?.largest ?? 0, 0).addingReportingOverflow(offset)
      // The smallest key of all stands for "none" where a run goes on.
      guard !overflow, end < .max, (extent?.smallest ?? 1) > (offset == 0 ? .min : 0) else {
        throw MigrationError(
          .sourceDamaged,
          Diagnostic(
            "RUN-021", "the keys of \(source.tableName) leave no room in \(table)",
            reason: "they run from \(extent?.smallest ?? 0) to \(extent?.largest ?? 0), and "
              + (offset == 0
                ? "no key is left beyond them" : "another entity mapping writes to the same table"),
            remedy: "keys are whole numbers from 1; look for a damaged Z_PK in the source"))
      }
      if offset == 0 { keyspace.keptTables[table] = source.tableName }
      keyspace.firstExtraKeys[table] = end + 1
      mappingPlans[index].keyOffset = offset
      mappingPlans[index].keyRange = extent?.range(offset: offset)
      feeds[table, default: []].append(
        Feed(sourceTable: source.tableName, sourceEntities: [source.name], offset: offset))
    }
    return keyspace
  }
}
