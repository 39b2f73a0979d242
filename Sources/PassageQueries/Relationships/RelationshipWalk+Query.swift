internal import PassageExpressions
internal import PassageModels
internal import PassageStores

extension RelationshipWalk {
  /// The largest number of tables that key paths join in one statement. SQLite's own limit is 64
  /// (https://www.sqlite.org/limits.html), and the statement around the joins has some too.
  static let maximumTables = 60

  /// The number of tables that the steps join.
  var tableCount: Int { steps.reduce(0) { $0 + $1.joins.count } }

  /// A cell of the object that to-one relationships lead to, as a query of its own, for a statement
  /// that has no room for more joins. It gives what left joins give: NULL where no object is related.
  ///
  /// - Parameters:
  ///   - path: the relationships, at least one.
  ///   - row: the alias of the row at which they begin, which the statement has.
  ///   - schema: the schema under which the store is attached; empty on the store's own connection.
  static func query(
    of leaf: ResolvedKeyPath.Leaf, at path: some Collection<Relationship>,
    from entity: EntityLayout, row: String, layout: StoreLayout, schema: String
  ) -> String {
    var walk = RelationshipWalk(from: entity, row: row, layout: layout, schema: schema)
    guard !path.contains(where: \.isToMany), walk.follow(Array(path), rows: row + "q"),
      let cell = walk.entity.column(of: leaf, in: walk.row)
    else { return "NULL" }
    let joins = walk.steps.flatMap(\.joins)
    guard let first = joins.first else { return "NULL" }
    let others = joins.dropFirst().map { " JOIN \($0.table) ON \($0.condition)" }.joined()
    return "(SELECT \(cell) FROM \(first.table)\(others) WHERE \(first.condition))"
  }
}
