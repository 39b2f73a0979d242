internal import Passage

/// Computes one attribute of every object in Swift; the mapping computes the others.
struct ComputedNumberPolicy: MigrationPolicy {
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]
  static let needs: Set<MigrationContext.Need> = []

  init(mapping: PolicyMapping) {}

  func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
    var record = try context.defaultDestination(for: source)
    if let count = try source.integer("count") {
      try record.set("number", to: .integer(count * 2 + 1))
    }
    try context.insert(consume record, for: source)
  }
}
