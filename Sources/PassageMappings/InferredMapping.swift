public import PassageDiagnostics
public import PassageModels

/// Derives a mapping model from two models alone, like Core Data's
/// `NSMappingModel.inferredMappingModel(forSourceModel:destinationModel:)`.
///
/// It infers what Core Data calls a lightweight migration: entities and properties that are added,
/// removed or renamed (by renaming identifier); required attributes that become optional, and
/// optional ones that become required and have a default value; wider numbers; to-one relationships
/// that become to-many, ordered or not; new parents and children, properties that move up and down,
/// entities that leave or join a hierarchy. Everything else requires a person who knows the meaning
/// of the values, and is reported as an error with its reason.
///
/// ```swift
/// let mapping = try InferredMapping.infer(from: version1, to: version2)
/// print(MappingDocument.encode(mapping))
/// ```
public enum InferredMapping {
  /// Infers the mapping model between two models.
  ///
  /// Entity mappings have Core Data's names: `IEM_Copy_X`, `IEM_Transform_X` and `IEM_Remove_X`
  /// after the source entity, and `IEM_Add_X` after the destination entity. Their order is that of
  /// the destination entities by name, followed by the removed source entities by name. Abstract
  /// entities have no objects and therefore no mapping.
  ///
  /// - Parameters:
  ///   - source: the model of the store.
  ///   - destination: the target model.
  /// - Returns: a mapping model that `MappingChecker` accepts, with ``MappingModel/isInferred``
  ///   set.
  /// - Throws: everything that cannot be inferred, property by property: `INF-001` a rename with
  ///   two possible interpretations, `INF-002` entities of different hierarchies under one parent,
  ///   `INF-003` an entity that became abstract, `INF-004` an attribute whose values would have to
  ///   be converted, `INF-005` a required attribute without a default value, `INF-006` a
  ///   relationship that was to-many and is to-one, `INF-007` a required relationship without
  ///   related objects, `INF-008` a relationship with another destination, `INF-009` an attribute
  ///   that became a relationship or the reverse, `INF-010` relationships that became inverses of
  ///   each other, `INF-011` binary data that moves into or out of external files.
  /// - Complexity: O(e · p log p) for e entities with p properties, where inherited ones count for
  ///   each descendant.
  public static func infer(
    from source: Model, to destination: Model
  ) throws(Diagnostics) -> MappingModel {
    var pass = InferencePass(source: source, destination: destination)
    let entityMappings = pass.entityMappings()
    try pass.findings.throwIfErrors()
    var model = MappingModel(
      name: name(from: source.name, to: destination.name), source: source.name,
      destination: destination.name, entityMappings: entityMappings)
    model.isInferred = true
    return model
  }

  /// The name of the inferred mapping model between two versions.
  public static func name(from source: String, to destination: String) -> String {
    "Inferred \(source) to \(destination)"
  }
}
