internal import PassageMappings
internal import PassageSQLite

/// What a run finds out while it writes, so that it need not read it again. A run that continues the
/// work of another does not have it, and reads.
final class RunFacts {
  /// By mapping, all associations that it has, and it has been run from its beginning.
  private var associations: [Int: RecordedAssociations] = [:]
  /// The mappings of which a sweep has counted the source objects with the number of another entity,
  /// from the first row to the last.
  var countedForeignNumbers: Set<Int> = []

  /// Called when a mapping begins or continues.
  ///
  /// - Parameter usesPages: whether sweeps by pages may ask for its associations, rather than for their
  ///   number.
  /// - Returns: what notes the associations that its policy makes; `nil` when there may be others.
  func begin(
    _ mappingPlan: MappingPlan, _ phase: Journal.Phase, usesPages: Bool
  ) -> RecordedAssociations? {
    let isOnlyByPolicy =
      mappingPlan.elements == nil && mappingPlan.bound.merge == nil
      && mappingPlan.bound.addedObjects.isEmpty
    let recorded = phase == .begin && isOnlyByPolicy ? RecordedAssociations() : nil
    if !usesPages { recorded?.release() }
    associations[mappingPlan.index] = recorded
    return recorded
  }

  /// The associations of a mapping, in the order of their keys; `nil` when they must be read.
  func associations(of mappingPlan: MappingPlan) -> RecordedAssociations? {
    guard let found = associations[mappingPlan.index], found.hasPairs else { return nil }
    return found
  }

  /// The number of the associations of some mappings.
  ///
  /// - Parameter connection: has the journal attached.
  func associationCount(of mappingPlans: [MappingPlan], _ connection: Connection) throws -> Int64 {
    var count: Int64 = 0
    var unknown: [Int] = []
    for index in Set(mappingPlans.map(\.index)).sorted() {
      if let known = associations[index]?.count { count += known } else { unknown.append(index) }
    }
    guard !unknown.isEmpty else { return count }
    let list = unknown.map { "\($0)" }.joined(separator: ", ")
    return try count
      + connection.integer(
        "SELECT count(*) FROM \(Journal.Table.association.name) WHERE mapping IN (\(list))")
  }

  /// Forgets the associations of a mapping, when some that were noted were not written.
  func forgetAssociations(of mappingPlan: MappingPlan) {
    associations[mappingPlan.index]?.forget()
    associations[mappingPlan.index] = nil
  }

  /// Gives back the memory of the associations. Their number stays known.
  func releaseAssociations() { for recorded in associations.values { recorded.release() } }
}
