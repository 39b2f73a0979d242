internal import PassageDiagnostics
public import PassageExpressions
public import PassageModels

/// A mapping model whose every name has been found in its two models.
public struct BoundMapping: Sendable {
  public var model: MappingModel
  public var source: Model
  public var destination: Model
  /// In the order of the mapping model.
  public var entityMappings: [BoundEntityMapping]
}

/// An entity mapping whose names are entities, properties and checked expressions.
public struct BoundEntityMapping: Sendable {
  public var mapping: EntityMapping
  /// `nil` for an add mapping.
  public var source: Entity?
  /// `nil` for a remove mapping.
  public var destination: Entity?
  public var filter: BoundPredicate?
  /// Destination attributes that get a value, in the order they are processed. Every other
  /// attribute holds its default.
  public var attributes: [BoundAttribute]
  /// Destination relationships that get a value, in the order they are processed.
  public var relationships: [BoundRelationship]

  public var name: String { mapping.name.value }
}

/// A destination attribute and what it is computed from.
public struct BoundAttribute: Sendable {
  public var attribute: Attribute
  public var value: BoundExpression
  /// Used where ``value`` is nil.
  public var fallback: BoundExpression?
}

/// A destination relationship and the source objects whose destination objects it leads to.
public struct BoundRelationship: Sendable, Hashable {
  /// Which entity mappings are asked for the destination objects.
  public enum Target: Sendable, Hashable {
    /// `destinationInstancesForEntityMappingNamed:sourceInstances:`
    case mapping(named: String)
    /// `destinationInstancesForSourceRelationshipNamed:sourceInstances:`: every mapping of the
    /// related entity and its subentities.
    case everyMapping
  }

  public var relationship: Relationship
  /// The relationships walked from the source object; empty for the source object itself.
  public var path: [Relationship]
  /// The source entity the path ends at.
  public var pathEnd: Entity
  public var target: Target
}
