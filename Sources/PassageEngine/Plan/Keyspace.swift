internal import PassageDiagnostics
internal import PassageStores

/// Gives each entity mapping of a step its key offset, so that mappings into one table never
/// collide.
///
/// Keys are unique in a source table, so entity mappings that read different entities of one table
/// share an offset: a hierarchy keeps its keys. Any further mapping into the table gets keys above
/// the previous ones. Additional objects that a policy makes get keys above all of those.
struct Keyspace {
  /// The range of keys in a source table.
  struct Extent: Hashable {
    var smallest: Int64
    var largest: Int64

    /// That of a table without rows.
    static let empty = Extent(smallest: 1, largest: 0)

    /// These keys plus `offset`. The caller must have checked that the sum does not overflow.
    func range(offset: Int64) -> ClosedRange<Int64> {
      smallest &+ offset...max(smallest, largest) &+ offset
    }
  }

  private struct Feed {
    var sourceTable: String
    var sourceEntities: Set<String>
    var offset: Int64
  }

  /// The first key above all mapped ones, by destination table.
  private(set) var firstExtraKeys: [String: Int64] = [:]
  /// The destination tables that have keys of several mappings, or of objects without a source.
  private var sharedTables: Set<String> = []
  /// Whether a policy may make further objects, in whichever table.
  private var mayShareAll = false

  /// Whether keys that a source table does not have can be those of other objects in a destination
  /// table.
  func isShared(_ table: String) -> Bool { mayShareAll || sharedTables.contains(table) }

  /// The source table whose keys are kept, by destination table.
  private(set) var keptTables: [String: String] = [:]

  /// Assigns the offsets.
  ///
  /// - Parameters:
  ///   - mappingPlans: the entity mappings of all passes of the step, in order.
  ///   - extents: the range of keys of each source table that has rows.
  ///   - assigned: the largest key that a source table has ever had, where it is known. Where keys are kept, further
  ///     objects get none up to it: apps keep the URIs of objects that they have deleted.
  ///   - isForeign: whether the source was staged from a store of another type, whose identifiers the
  ///     keys are.
  /// - Throws: `RUN-021` when the keys of a table do not fit into 64 bits, `RUN-092` when these are
  ///   identifiers of a store of another type.
  static func assign(
    _ mappingPlans: inout [MappingPlan], extents: [String: Extent],
    assigned: [String: Int64] = [:], isForeign: Bool = false
  ) throws(MigrationError) -> Keyspace {
    var keyspace = Keyspace()
    var feeds: [String: [Feed]] = [:]
    keyspace.mayShareAll = mappingPlans.contains(where: \.makesFurtherObjects)
    for index in mappingPlans.indices {
      guard let destination = mappingPlans[index].destination else { continue }
      let table = destination.tableName
      guard let source = mappingPlans[index].source, mappingPlans[index].elements == nil else {
        keyspace.firstExtraKeys[table] = max(keyspace.firstExtraKeys[table] ?? 1, 1)
        keyspace.sharedTables.insert(table)
        continue
      }
      if let shared = feeds[table]?.firstIndex(where: {
        $0.sourceTable == source.tableName && !$0.sourceEntities.contains(source.name)
      }) {
        feeds[table]?[shared].sourceEntities.insert(source.name)
        let offset = feeds[table]?[shared].offset ?? 0
        mappingPlans[index] = mappingPlans[index].with(
          keyOffset: offset, keyRange: extents[source.tableName]?.range(offset: offset))
        continue
      }
      let extent = extents[source.tableName]
      let first = keyspace.firstExtraKeys[table] ?? 1
      let offset = first - 1
      let (end, overflow) = max(extent?.largest ?? 0, 0).addingReportingOverflow(offset)
      // The cursor uses the smallest possible key for "none", and no mapping may have it.
      guard !overflow, end < .max, (extent?.smallest ?? 1) > (offset == 0 ? .min : 0) else {
        let reason = Self.reason(extent ?? .empty, offset: offset)
        throw isForeign
          ? tooLargeIdentifiers(of: source, reason) : unusableKeys(of: source, in: table, reason)
      }
      if offset == 0 { keyspace.keptTables[table] = source.tableName }
      if feeds[table]?.isEmpty == false { keyspace.sharedTables.insert(table) }
      let last = offset == 0 ? assigned[source.tableName] ?? 0 : 0
      // A number that leaves too few keys is not that of an object.
      keyspace.firstExtraKeys[table] = max(end, last < .max / 2 ? last : 0) + 1
      mappingPlans[index] = mappingPlans[index].with(
        keyOffset: offset, keyRange: extent?.range(offset: offset))
      feeds[table, default: []].append(
        Feed(sourceTable: source.tableName, sourceEntities: [source.name], offset: offset))
    }
    return keyspace
  }

  // MARK: Errors

  /// Why the keys of a table plus an offset cannot be keys.
  private static func reason(_ extent: Extent, offset: Int64) -> String {
    var reasons: [String] = []
    if offset > 0, extent.smallest < 1 {
      reasons.append(
        "\(extent.smallest) is less than 1, and another entity mapping writes to the same table")
    } else if extent.smallest == .min {
      reasons.append("\(extent.smallest) is too small")
    }
    if extent.largest == .max {
      reasons.append("\(extent.largest) is the largest number, and no larger key is left")
    } else if max(extent.largest, 0) >= .max - offset {
      reasons.append(
        "\(extent.largest) is too large to come after \(offset), the largest key of another entity "
          + "mapping in the same table")
    }
    return reasons.joined(separator: "; ")
  }

  private static func unusableKeys(
    of source: EntityLayout, in table: String, _ reason: String
  ) -> MigrationError {
    MigrationError(
      .sourceDamaged,
      Diagnostic(
        "RUN-021", "the keys of \(source.tableName) cannot become keys of \(table)",
        reason: reason,
        remedy: "keys are whole numbers from 1; look for a damaged Z_PK in the source"))
  }

  private static func tooLargeIdentifiers(
    of source: EntityLayout, _ reason: String
  ) -> MigrationError {
    MigrationError(
      .policyFailed,
      Diagnostic(
        "RUN-092", "identifiers of the objects of “\(source.rootName)” cannot become keys",
        reason: reason,
        remedy:
          "give the objects other identifiers; a text file without any has its records numbered"))
  }
}
