internal import PassageSQLite
internal import PassageValues

/// Writes the objects of one shape into a staged store. Each name is looked up once.
final class StagedObjectWriter {
  private let insert: Statement

  init(shape: ObjectShape, layout: StoreLayout, _ connection: Connection) throws {
    guard let entity = layout.entity(named: shape.entityName), !entity.isAbstract else {
      throw StoreError(
        .layoutMismatch, path: connection.path,
        detail: "the model has no entity “\(shape.entityName)” that can have objects")
    }
    let columns = try shape.names.map { name in
      if let column = entity.columnName(ofAttribute: name) { return column }
      if case .foreignKey(let column, _, _)? = entity.storage(ofRelationship: name) {
        return column
      }
      throw StoreError(
        .layoutMismatch, path: connection.path,
        detail: "the table of “\(entity.name)” has no column for “\(name)”")
    }
    let names = ["Z_PK", "Z_ENT", "Z_OPT"] + columns
    let cells = ["?", "\(entity.number)", "1"] + columns.map { _ in "?" }
    insert = try connection.prepare(
      "INSERT INTO main.\(entity.tableName.quotedIdentifier) "
        + "(\(names.map(\.quotedIdentifier).joined(separator: ", "))) "
        + "VALUES (\(cells.joined(separator: ", ")))")
  }

  func append(_ object: SourceObject) throws {
    try insert.bind(object.key, at: 1)
    try insert.bind(object.values, from: 2)
    try insert.run()
  }
}
