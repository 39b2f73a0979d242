public import PassageDiagnostics
public import PassageModels

/// Derives a mapping model from two models alone, like Core Data's
/// `NSMappingModel.inferredMappingModel(forSourceModel:destinationModel:)`.
///
/// It infers what Core Data calls a lightweight migration: entities and properties that are added,
/// removed or renamed (by renaming identifier); required attributes that become optional, and
/// optional ones that become required and have a default value; wider numbers; to-one relationships
/// that become to-many, ordered or not; relationships that now lead to a new subentity; new parents and children, properties that move up and down,
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
  ///   set. Its ``MappingModel/remarks`` have a warning `INF-103` for each relationship that now
  ///   leads to a new subentity, and therefore loses links.
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
    // Only warnings are left.
    model.remarks = pass.findings
    return model
  }

  /// Drafts the mapping model between two models: what ``infer(from:to:)`` would infer, and a marked
  /// proposal wherever it would refuse.
  ///
  /// A proposal converts the values, gives a required attribute a value, takes the first of several
  /// interpretations, or makes objects of a new entity from the attributes that it replaces. If there
  /// is nothing to propose, the property keeps its default. Each has the reason in its member
  /// `draft`, and a plan refuses the mapping model until no such mark is left (`MAP-040`). Without
  /// the marks `MappingChecker` accepts it.
  ///
  /// ```swift
  /// let draft = InferredMapping.draft(from: version1, to: version2)
  /// try MappingDocument.encode(draft).write(to: file, atomically: true, encoding: .utf8)
  /// ```
  ///
  /// - Parameters:
  ///   - source: the model of the store.
  ///   - destination: the target model.
  /// - Returns: the inferred mapping model if nothing had to be proposed, otherwise one with marks.
  /// - Complexity: that of ``infer(from:to:)``; the names that are compared besides are limited.
  public static func draft(from source: Model, to destination: Model) -> MappingModel {
    var pass = InferencePass(source: source, destination: destination, isDraft: true)
    var model = MappingModel(
      name: name(from: source.name, to: destination.name), source: source.name,
      destination: destination.name, entityMappings: pass.entityMappings())
    model.isInferred = true
    model.remarks = Diagnostics(pass.findings.all.filter { $0.severity != .error })
    return model
  }

  /// The name of the inferred mapping model between two versions.
  public static func name(from source: String, to destination: String) -> String {
    "Inferred \(source) to \(destination)"
  }
}
