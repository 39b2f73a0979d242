/// A table of the source's objects that an expression looks values up in: what `lookup` and
/// `sequenceNumber()` need besides the object itself.
///
/// The caller that runs the expression creates the table first, under ``tableName`` in the schema `temp`, with
/// the columns `key`, each value once, and `result`. SQL reads it there; an evaluation in memory asks
/// ``EvaluationContext/lookUp``.
package struct ObjectLookup: Sendable, Hashable {
  /// What the table holds.
  package enum Content: Sendable, Hashable {
    /// The value of an attribute of the object with another attribute's value; of several objects, of
    /// the one with the smallest primary key. Nil is not a key. Objects of subentities count.
    case value(keyAttribute: String, resultAttribute: String)
    /// The place of each object of the entity itself among them, by primary key, from 1.
    case place
  }

  /// The entity of the objects.
  package let entityName: String
  /// What is looked up.
  package let content: Content

  /// The table's name, not quoted.
  package var tableName: String {
    switch content {
    case .value(let key, let result): "passage_lookup \(entityName).\(key).\(result)"
    case .place: "passage_places \(entityName)"
    }
  }
}
