internal import PassageDiagnostics
package import PassageExpressions
package import PassageModels
package import PassageValues

/// A mapping model whose names have all been resolved in its two models.
package struct BoundMapping: Sendable {
  package var model: MappingModel
  package var source: Model
  package var destination: Model
  /// In the order of the mapping model.
  package var entityMappings: [BoundEntityMapping]
}

/// An entity mapping with resolved entities and properties and checked expressions.
package struct BoundEntityMapping: Sendable {
  package var mapping: EntityMapping
  /// `nil` for an add mapping.
  package var source: Entity?
  /// `nil` for a remove mapping.
  package var destination: Entity?
  package var filter: BoundPredicate?
  /// The list of whose elements objects are made; `nil` when they are made of source objects.
  package var elements: BoundElements?
  /// What objects have in common that become one; `nil` when each stays by itself.
  package var merge: BoundMerge?
  /// How the values of objects that become one combine, where that is not the value of the one that
  /// is kept.
  package var combinations: [BoundCombination] = []
  /// The objects that an add mapping makes, in order, with the values that are given.
  package var addedObjects: [[AddedValue]] = []
  /// The destination attributes that get a value, in the order in which they are processed. All
  /// other attributes get their default value.
  package var attributes: [BoundAttribute]
  /// The destination relationships that get a value, in the order in which they are processed.
  package var relationships: [BoundRelationship]

  package var name: String { mapping.name.value }
}

/// A destination attribute and the expression for its value.
package struct BoundAttribute: Sendable {
  package var attribute: Attribute
  package var value: BoundExpression
  /// Used if ``value`` is nil.
  package var fallback: BoundExpression?
}

/// The value of an attribute of an object that an add mapping makes.
package struct AddedValue: Sendable {
  package var attribute: Attribute
  package var value: Value
}

/// A destination relationship and the source objects whose destination objects it refers to.
package struct BoundRelationship: Sendable, Hashable {
  /// The entity mappings that provide the destination objects.
  package enum Target: Sendable, Hashable {
    /// `destinationInstancesForEntityMappingNamed:sourceInstances:`
    case mapping(named: String)
    /// `destinationInstancesForSourceRelationshipNamed:sourceInstances:`: every mapping of the
    /// related entity and its subentities.
    case everyMapping
  }

  package var relationship: Relationship
  /// The relationships from the source object, or from the element, on; empty for the object itself
  /// and where ``selection`` says which.
  package var path: [Relationship]
  /// The source entity at the end of the path.
  package var pathEnd: Entity
  package var target: Target
  /// Which source objects it refers to, if they are not simply those at the end of a path.
  package var selection: BoundSelection?
}
