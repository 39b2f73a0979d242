public import PassageDiagnostics
public import PassageModels

/// Derives a mapping model from two models alone, like Core Data's
/// `NSMappingModel.inferredMappingModel(forSourceModel:destinationModel:)`.
///
/// What can be inferred is what Core Data calls a lightweight migration: entities and properties
/// that are added, removed or renamed (by renaming identifier); required attributes that become
/// optional, and optional ones that become required and have a default; wider numbers; to-one
/// relationships that become to-many, with or without an order; new parents and children, properties
/// that move up and down, entities that leave or join a hierarchy. Everything else needs a person
/// who knows what the values mean, and is reported as a mistake with its reason.
///
/// ```swift
/// let mapping = try InferredMapping.infer(from: version1, to: version2)
/// print(MappingDocument.encode(mapping))
/// ```
public enum InferredMapping {
  /// Infers the mapping model between two models.
  ///
  /// Entity mappings are named as Core Data names them, `IEM_Copy_X`, `IEM_Transform_X`,
  /// `IEM_Remove_X` after the source entity and `IEM_Add_X` after the destination entity, and stand
  /// in the order of destination entities by name, then removed source entities by name. Abstract
  /// entities have no objects and so no mapping.
  ///
  /// - Parameters:
  ///   - source: the model of the store.
  ///   - destination: the model to reach.
  /// - Returns: a mapping model that `MappingChecker` accepts, with
  ///   ``MappingModel/isInferred`` set.
  /// - Throws: everything that cannot be inferred, property by property: `INF-001` a rename that can
  ///   be read in two ways, `INF-002` entities of different hierarchies under one parent, `INF-003`
  ///   an entity that became abstract, `INF-004` an attribute whose values would have to be
  ///   converted, `INF-005` a required attribute without a default, `INF-006` a relationship that
  ///   leads to one object and led to many, `INF-007` a required relationship that nothing
  ///   fills, `INF-008` a relationship that leads to another entity, `INF-009` an attribute that
  ///   became a relationship or the other way round, `INF-010` relationships that became inverses
  ///   of one another, `INF-011` binary data that moves in or out of files of its own.
  /// - Complexity: O(e · p log p) for e entities with p properties, inherited ones counted for each
  ///   heir.
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

  /// What the inferred mapping model between two versions is called.
  public static func name(from source: String, to destination: String) -> String {
    "Inferred \(source) to \(destination)"
  }
}
