import PassageModels
import PassageSQLite
import PassageValues
import Testing

/// Reads a store by Core Data's rules for names, written by hand: the layout that the engine works out
/// has no part in it, so a mistake of that layout cannot hide behind itself.
///
/// A table is `Z` and the root entity's name in capitals, a column `Z` and the property's; the rows of
/// `Z_PRIMARYKEY` say each entity's number. The two columns of a join table end in the names of the two
/// relationships, and hold the objects that they lead to.
struct PlainReading {
  private let connection: Connection
  private let world: RandomWorld

  init(path: String, _ world: RandomWorld) throws {
    connection = try Connection(path: path, mode: .readOnly)
    self.world = world
  }

  /// The table of an entity's root.
  private func table(_ name: String) -> String {
    var name = name
    while let parent = world.source.entity(named: name)?.parentName { name = parent }
    return "Z" + name.uppercased()
  }

  /// One line for each object.
  func objects() throws -> [String] {
    var lines: [String] = []
    for entity in world.source.entities {
      let rows = try connection.rows(
        "SELECT ZUID, ZVALUE, ZTEXT FROM \(table(entity.name)) WHERE Z_ENT = "
          + "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = ?)", [.text(entity.name)])
      for row in rows {
        lines.append(
          RandomWorld.line(
            entity.name, row[0].integer ?? -1, row[1].integer, row[2].string))
      }
    }
    return lines.sorted()
  }

  /// One line for each pair of objects that a relationship joins.
  func links() throws -> [String] {
    var lines: [String] = []
    for entity in world.source.entities {
      for relationship in entity.relationships where relationship.name.hasPrefix("r") {
        let inverse = try #require(world.source.inverse(of: relationship))
        let (own, other) = (table(entity.name), table(relationship.destinationEntityName))
        let (to, from) = (relationship.name.uppercased(), inverse.name.uppercased())
        let query: String
        if !relationship.isToMany {
          query = "SELECT o.ZUID, t.ZUID FROM \(own) AS o JOIN \(other) AS t ON t.Z_PK = o.Z\(to)"
        } else {
          let join = try joinTable(to, from)
          query =
            "SELECT o.ZUID, t.ZUID FROM \(join.name) AS j JOIN \(own) AS o ON o.Z_PK = j.\(join.from) "
            + "JOIN \(other) AS t ON t.Z_PK = j.\(join.to)"
        }
        lines += try connection.rows(query).map {
          "\(relationship.name): \($0[0].integer ?? -1) to \($0[1].integer ?? -1)"
        }
      }
    }
    return lines.sorted()
  }

  /// The table with a column for each of two relationships, `Z_` and a number before their names.
  private func joinTable(
    _ to: String, _ from: String
  ) throws -> (name: String, to: String, from: String) {
    let found = try connection.rows(
      """
      SELECT m.name, a.name, b.name FROM sqlite_master AS m, pragma_table_info(m.name) AS a,
        pragma_table_info(m.name) AS b
      WHERE m.type = 'table' AND a.name GLOB 'Z_[0-9]*' || ?1 AND b.name GLOB 'Z_[0-9]*' || ?2
      """, [.text(to), .text(from)])
    #expect(found.count == 1)
    let row = try #require(found.first)
    return (row[0].string ?? "", row[1].string ?? "", row[2].string ?? "")
  }
}

extension RandomWorld {
  /// An object in one line.
  static func line(_ entity: String, _ uid: Int64, _ value: Int64?, _ text: String?) -> String {
    "\(entity) \(uid) \(value.map(String.init) ?? "nil") \(text ?? "nil")"
  }

  private var kept: Set<Int64> {
    Set(objects.filter { fates[$0.entity]?.keeps($0.value) == true }.map(\.uid))
  }

  /// What a plain reading of the migrated store must find, from the objects as they were made.
  var madeObjects: [String] {
    objects.filter { kept.contains($0.uid) }
      .map { Self.line($0.entity, $0.uid, $0.value ?? $0.uid * 1_000, $0.text) }.sorted()
  }

  var madeLinks: [String] {
    objects.flatMap { object in
      object.links.filter { $0.key.hasPrefix("r") }.flatMap { name, targets in
        targets.map { (object.uid, objects[$0].uid) }
          .filter { kept.contains($0.0) && kept.contains($0.1) }
          .map { "\(name): \($0.0) to \($0.1)" }
      }
    }.sorted()
  }
}
