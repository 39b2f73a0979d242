/// The seven hooks of a policy, in the order Core Data calls them.
public enum MigrationHook: String, Sendable, Hashable, CaseIterable {
  /// Before the first source object is read.
  case begin
  /// For each source object that passes the filter.
  case createDestinationInstances
  /// After the last source object.
  case endInstanceCreation
  /// For each destination object of the entity mapping.
  case createRelationships
  /// After the last destination object.
  case endRelationshipCreation
  /// After all objects of the pass are made and related.
  case performCustomValidation
  /// After everything else.
  case end
}
