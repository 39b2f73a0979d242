internal import Passage

/// A post's colour becomes an object of its own.
///
/// The mapping model from the second version of the posts to the third maps `date` and `postID` and
/// leaves the required relationship `color` open: its `Color` is an add mapping. So each post makes
/// its colour, with the text it had in `hexColor`. A colour belongs to one post and gets that post's
/// identifier: a new one would be another one in every run.
struct PostColorPolicy: MigrationPolicy {
  static let name = "CoreDataMigration_Example.Post2ToPost3MigrationPolicy"
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]

  init(mapping: PolicyMapping) {}

  func createDestinationInstances(for post: SourceObject, in context: MigrationContext) throws {
    let made = try context.insert(context.defaultDestination(for: post), for: post)
    var color = try context.makeObject(ofEntity: "Color")
    try color.set("colorID", to: post["postID"] ?? .null)
    try color.set("hex", to: post["hexColor"] ?? .null)
    try context.setRelationship("color", of: made, to: [context.insert(color, for: post)])
  }
}
