internal import Passage

/// A car's maker becomes an object that cars of one maker share.
///
/// The mapping model from the second version of the cars to the third gives cars no `maker` any more
/// and leaves `createdBy` open; `Maker.name` is unique. So the first car of a maker makes it, and the
/// others, of whatever kind of car, are related to it. A car without a maker is related to none.
struct CarMakerPolicy: MigrationPolicy {
  static let name = "REPLACE_AT_RUNTIME.V2to3MakerPolicy"
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]

  init(mapping: PolicyMapping) {}

  func createDestinationInstances(for car: SourceObject, in context: MigrationContext) throws {
    let made = try context.insert(context.defaultDestination(for: car), for: car)
    guard let name = car["maker"]?.string else { return }
    let maker = try context.findOrInsert("Maker", key: [.text(name)], for: car) { maker in
      try maker.set("name", to: .text(name))
    }
    try context.setRelationship("createdBy", of: made, to: [maker.object])
  }
}
