package import PassageExpressions
package import PassageModels

/// What objects have in common that become one.
package struct BoundMerge: Sendable {
  package var value: BoundExpression
  package var kept: EntityMapping.Merge.Kept
}

/// How the values of objects that become one combine.
package struct BoundCombination: Sendable {
  package var attribute: Attribute
  package var value: BoundExpression
  package var function: PropertyMapping.Combination
}
