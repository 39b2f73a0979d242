internal import PassageSQLite
internal import PassageValues

/// What policies decided about one relationship of one entity, as recorded in the journal. If two
/// passes decided about the same object, the later one applies.
struct DecidedLinks {
  /// The entity's number.
  let entity: Int64
  let relationship: String

  /// The decided relationships of all passes.
  ///
  /// - Parameter connection: a connection that has the journal attached.
  static func all(in connection: Connection) throws -> [DecidedLinks] {
    try connection.rows(
      "SELECT DISTINCT entity, relationship FROM \(Journal.Table.relationship.name) ORDER BY 1, 2"
    ).compactMap { row in
      guard let entity = row[0].integer, let relationship = row[1].string else { return nil }
      return DecidedLinks(entity: entity, relationship: relationship)
    }
  }

  /// A query for the keys of the objects about which a policy decided.
  var owners: String { "SELECT l.owner FROM \(table) AS l WHERE \(isOwn("l"))" }

  /// A query for the links, with the columns of ``LinkQuery``.
  var pairs: String {
    "SELECT l.owner AS owner, l.entity AS owner_entity, l.target AS target, "
      + "l.target_entity AS target_entity, 1024 * (l.position + 1) AS place, "
      + "l.owner AS owner_place FROM \(decisions) AND l.position >= 0"
  }

  /// The rows of the decisions that apply, `l`, with a condition that others can follow: one at
  /// position -1 for each owner, and one for each link.
  var decisions: String {
    "\(table) AS l WHERE \(isOwn("l")) AND l.pass = (SELECT max(o.pass) FROM \(table) AS o "
      + "WHERE \(isOwn("o")) AND o.owner = l.owner)"
  }

  private var table: String { Journal.Table.relationship.name }

  private func isOwn(_ row: String) -> String {
    "\(row).entity = \(entity) AND \(row).relationship = \(relationship.quotedLiteral)"
  }
}
