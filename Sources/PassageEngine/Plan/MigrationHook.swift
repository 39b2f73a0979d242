/// The seven hooks of a policy, in the order Core Data calls them.
public enum MigrationHook: String, Sendable, Hashable, CaseIterable {
  /// Before the first source object is read.
  case begin
  /// For each source object that the filter lets through.
  case createDestinationInstances
  /// After the last source object.
  case endInstanceCreation
  /// For each destination object of the entity mapping.
  case createRelationships
  /// After the last destination object.
  case endRelationshipCreation
  /// When every object of the pass is in place.
  case performCustomValidation
  /// Last of all.
  case end
}
