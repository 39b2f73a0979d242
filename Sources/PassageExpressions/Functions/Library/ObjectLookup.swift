/// A table of values from the source's objects, which `lookup` and `sequenceNumber()` need besides
/// the object itself.
///
/// The caller that runs the expression must create the table first, with the name ``tableName`` in
/// the schema `temp`, the column `key`, whose values are unique, and the column `result`. SQL reads
/// the table; an evaluation in memory calls ``EvaluationContext/lookUp``.
package struct ObjectLookup: Sendable, Hashable {
  /// The contents of the table.
  package enum Content: Sendable, Hashable {
    /// The value of one attribute for the object that has a certain value of another attribute. If
    /// several objects have it, the one with the smallest primary key is used. Nil is not a key.
    /// Objects of subentities are included.
    case value(keyAttribute: String, resultAttribute: String)
    /// The position of each object among those of exactly this entity, by primary key, from 1.
    case place
  }

  /// The entity of the objects.
  package let entityName: String
  /// The contents of the table.
  package let content: Content

  /// The table's name, without quotation marks.
  package var tableName: String {
    switch content {
    case .value(let key, let result): "passage_lookup \(entityName).\(key).\(result)"
    case .place: "passage_places \(entityName)"
    }
  }
}
