/// What policies ask of the journal and write into it, as statements of a connection that has it attached.
extension Journal {
  /// The object under a policy's own key: parameters are the entity's number and the key.
  static let findShared =
    "SELECT destination FROM \(Table.shared.name) WHERE entity = ? AND key = ?"

  /// Notes such an object: the entity's number, the key, the object's key, the pass.
  static let addShared =
    "INSERT INTO \(Table.shared.name) (entity, key, destination, pass) VALUES (?, ?, ?, ?)"

  /// Notes that an object is related as its mapping says: the mapping's number, the object's key.
  static let addDefaultRelationship =
    "INSERT OR IGNORE INTO \(Table.defaultRelationship.name) (mapping, destination) VALUES (?, ?)"

  /// Forgets what a pass decided about a relationship of an object: the entity's number, the name, the
  /// object's key, the pass.
  static let removeLinks =
    "DELETE FROM \(Table.relationship.name) "
    + "WHERE entity = ? AND relationship = ? AND owner = ? AND pass = ?"

  /// Notes one link: the same four, its position, the related object's key and its entity's number.
  static let addLink =
    "INSERT INTO \(Table.relationship.name) "
    + "(entity, relationship, owner, pass, position, target, target_entity) "
    + "VALUES (?, ?, ?, ?, ?, ?, ?)"
}
