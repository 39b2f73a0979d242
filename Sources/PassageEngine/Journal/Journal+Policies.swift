internal import PassageValues

/// What policies look up in the journal and write to it, as statements for a connection that has
/// the journal attached.
extension Journal {
  /// Finds the object under a policy's own key. Parameters: the entity's number, the key.
  static let findShared =
    "SELECT destination FROM \(Table.shared.name) WHERE entity = ? AND key = ?"

  /// Records a shared object. Parameters: the entity's number, the key, the object's key, the pass.
  static let addShared =
    "INSERT INTO \(Table.shared.name) (entity, key, destination, pass) VALUES (?, ?, ?, ?)"

  /// Records that an object gets the relationships of its mapping. Parameters: the mapping's
  /// number, the object's key.
  static let addDefaultRelationship =
    "INSERT OR IGNORE INTO \(Table.defaultRelationship.name) (mapping, destination) VALUES (?, ?)"

  /// Deletes what a pass decided about a relationship of an object. Parameters: the entity's
  /// number, the relationship's name, the object's key, the pass.
  static let removeLinks =
    "DELETE FROM \(Table.relationship.name) "
    + "WHERE entity = ? AND relationship = ? AND owner = ? AND pass = ?"

  /// Records one link. Parameters: the same four, its position, the related object's key and the
  /// number of its entity, and the mapping's number.
  static let addLink =
    "INSERT INTO \(Table.relationship.name) "
    + "(entity, relationship, owner, pass, position, target, target_entity, mapping) "
    + "VALUES (?, ?, ?, ?, ?, ?, ?, ?)"

  /// Notes that the policy of a mapping associates source objects with objects that it names itself.
  func setNamesAssociated(byPolicyOf mapping: Int) throws {
    try setState(Self.namesAssociated(mapping), .integer(1))
  }

  /// Whether the policy of a mapping of this pass has done so.
  func namesAssociated(byPolicyOf mapping: Int) throws -> Bool {
    try state(Self.namesAssociated(mapping)) != nil
  }

  private static func namesAssociated(_ mapping: Int) -> String { "associates:\(mapping)" }
}
