internal import PassageDiagnostics
package import PassageExpressions
package import PassageModels

/// A mapping model whose every name has been found in its two models.
package struct BoundMapping: Sendable {
  package var model: MappingModel
  package var source: Model
  package var destination: Model
  /// In the order of the mapping model.
  package var entityMappings: [BoundEntityMapping]
}

/// An entity mapping whose names are entities, properties and checked expressions.
package struct BoundEntityMapping: Sendable {
  package var mapping: EntityMapping
  /// `nil` for an add mapping.
  package var source: Entity?
  /// `nil` for a remove mapping.
  package var destination: Entity?
  package var filter: BoundPredicate?
  /// Destination attributes that get a value, in the order they are processed. Every other
  /// attribute holds its default.
  package var attributes: [BoundAttribute]
  /// Destination relationships that get a value, in the order they are processed.
  package var relationships: [BoundRelationship]

  package var name: String { mapping.name.value }
}

/// A destination attribute and what it is computed from.
package struct BoundAttribute: Sendable {
  package var attribute: Attribute
  package var value: BoundExpression
  /// Used where ``value`` is nil.
  package var fallback: BoundExpression?
}

/// A destination relationship and the source objects whose destination objects it leads to.
package struct BoundRelationship: Sendable, Hashable {
  /// Which entity mappings provide the destination objects.
  package enum Target: Sendable, Hashable {
    /// `destinationInstancesForEntityMappingNamed:sourceInstances:`
    case mapping(named: String)
    /// `destinationInstancesForSourceRelationshipNamed:sourceInstances:`: every mapping of the
    /// related entity and its subentities.
    case everyMapping
  }

  package var relationship: Relationship
  /// The relationships walked from the source object; empty for the source object itself.
  package var path: [Relationship]
  /// The source entity the path ends at.
  package var pathEnd: Entity
  package var target: Target
}
