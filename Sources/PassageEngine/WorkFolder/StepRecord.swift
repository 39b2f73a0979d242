/// What a run records of a step whose store has passed all checks, before it seals the store.
struct StepRecord: Codable {
  /// What became of every object, by entity mapping.
  var accounts: [MappingAccount]
  /// The number of lines of the step's quarantine file, which does not exist without any.
  var quarantined: Int64
  /// The UUID of the store, which is the source's.
  var storeUUID: String
  /// Chance, which the store of every step but the last has in its metadata too: the store of another run
  /// may be of the same version and have as many objects. The last one has the time of the migration.
  var mark: String
}
