package import PassagePlatform

/// A table of values from the source's objects, which `lookup`, `sequenceNumber()` and URIs of
/// objects need besides the object itself.
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
    /// The key of the object that has a certain value of an attribute, chosen in the same way.
    case object(keyAttribute: String)
    /// The number of objects above each object along a to-one relationship to its own entity.
    case depth(relationship: String)
    /// The values of an attribute from the topmost object to each object itself, joined.
    case path(relationship: String, attribute: String, separator: ExactText)
    /// The position of each object among those of exactly this entity, by primary key, from 1.
    case place
    /// The object with a key, if it is of the entity or of a subentity: the key for itself, or
    /// ``ObjectLookup/noKey``.
    case named(key: Int64)
    /// The key of each object of the entity and of its subentities, for itself.
    case members
    /// The UUID of the store, for every key.
    case store
  }

  /// The entity of the objects; empty for the store itself.
  package let entityName: String
  /// The contents of the table.
  package let content: Content

  /// No object has it.
  package static let noKey: Int64 = -1

  /// The UUID of the store, for the key 0.
  static let store = ObjectLookup(entityName: "", content: .store)

  /// The table's name, without quotation marks.
  package var tableName: String {
    switch content {
    case .value(let key, let result): "passage_lookup \(entityName).\(key).\(result)"
    case .object(let key): "passage_objects \(entityName).\(key)"
    case .depth(let relationship): "passage_depths \(entityName).\(relationship)"
    case .path(let relationship, let attribute, let separator):
      // As numbers, because SQLite does not tell names apart by the case of a letter.
      "passage_paths \(entityName).\(relationship).\(attribute) "
        + separator.text.utf8.map { "\($0)" }.joined(separator: " ")
    case .place: "passage_places \(entityName)"
    case .named(let key): "passage_named \(entityName).\(key)"
    case .members: "passage_members \(entityName)"
    case .store: "passage_store"
    }
  }
}
