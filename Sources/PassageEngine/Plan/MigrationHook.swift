/// The seven hooks of a policy, in the order Core Data calls them.
public enum MigrationHook: String, Sendable, Hashable, CaseIterable {
  case begin
  case createDestinationInstances
  case endInstanceCreation
  case createRelationships
  case endRelationshipCreation
  case performCustomValidation
  case end
}
