import PassageExpressions
import PassageModels
import PassageSQLite
import PassageValues

/// The model and the table that the tests of this target read.
enum Library {
  static let model = Model(
    name: "Library",
    entities: [
      Entity(
        name: "Book",
        attributes: [
          Attribute(name: "title", type: .string), Attribute(name: "subtitle", type: .string),
          Attribute(name: "pages", type: .integer64), Attribute(name: "shelf", type: .integer16),
          Attribute(name: "price", type: .decimal), Attribute(name: "weight", type: .double),
          Attribute(name: "isLent", type: .boolean), Attribute(name: "printed", type: .date),
          Attribute(name: "identifier", type: .uuid), Attribute(name: "page", type: .uri),
          Attribute(name: "cover", type: .binary), Attribute(name: "extra", type: .transformable),
          Attribute(name: "size", type: .integer32, isOptional: false),
          Attribute(name: "cached", type: .string, isTransient: true),
        ],
        relationships: [
          Relationship(name: "author", destinationEntityName: "Person", inverseName: "books"),
          Relationship(name: "sequel", destinationEntityName: "Book"),
          Relationship(name: "readers", destinationEntityName: "Person", maximumCount: 0),
        ]),
      Entity(
        name: "Person",
        attributes: [
          Attribute(name: "name", type: .string), Attribute(name: "born", type: .date),
          Attribute(name: "age", type: .integer16),
        ],
        relationships: [
          Relationship(
            name: "books", destinationEntityName: "Book", inverseName: "author", maximumCount: 0)
        ]),
    ])

  static let book = model.entity(named: "Book") ?? Entity(name: "Book")
  static let filter = BindingScope.filter(model: model, entity: book)
  static let value = BindingScope.value(
    model: model, entity: book,
    policyFunctions: ["fullName:": 1, "join:with:": 2, "epoch": 0])

  /// Every readable cell, in the order of the objects' values.
  static let names = [
    "title", "subtitle", "pages", "shelf", "price", "weight", "isLent", "printed", "identifier",
    "page", "cover", "extra", "size", "author", "sequel", "author.name", "author.born",
    "author.age",
  ]

  static let shape = ObjectShape(entityName: "Book", names: names)

  static func slot(_ path: ResolvedKeyPath) -> Int { names.firstIndex(of: path.name) ?? -1 }

  static func column(_ path: ResolvedKeyPath) -> String {
    if case .object = path.leaf { return "b.Z_PK" }
    if path.relationships.isEmpty { return "b.Z" + path.name.uppercased() }
    return "p.Z" + (path.components.last ?? "").uppercased()
  }

  static let from = "FROM ZBOOK b LEFT JOIN ZPERSON p ON p.Z_PK = b.ZAUTHOR"

  /// A connection with the empty tables, declared as Core Data declares its columns.
  static func connection() throws -> Connection {
    let connection = try Connection(path: "", mode: .create)
    try connection.execute(
      """
      CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR, ZBORN TIMESTAMP, ZAGE INTEGER);
      CREATE TABLE ZBOOK (Z_PK INTEGER PRIMARY KEY, ZTITLE VARCHAR, ZSUBTITLE VARCHAR,
        ZPAGES INTEGER, ZSHELF INTEGER, ZPRICE DECIMAL, ZWEIGHT FLOAT, ZISLENT INTEGER,
        ZPRINTED TIMESTAMP, ZIDENTIFIER BLOB, ZPAGE VARCHAR, ZCOVER BLOB, ZEXTRA BLOB,
        ZSIZE INTEGER, ZAUTHOR INTEGER, ZSEQUEL INTEGER);
      """)
    try registerFunctions(on: connection)
    return connection
  }

  static func registerFunctions(on connection: Connection) throws {
    for function in ExpressionFunctions.all {
      try connection.register(
        SQLFunction(
          name: function.name, argumentCount: Int32(function.argumentCount),
          isDeterministic: function.isDeterministic, evaluate: function.evaluate))
    }
    for aggregate in ExpressionFunctions.aggregates {
      try connection.register(SQLAggregate(name: aggregate.name) { Group(aggregate.begin()) })
    }
  }

  private final class Group: SQLAggregate.State {
    private var state: ExpressionAggregate.State
    init(_ state: ExpressionAggregate.State) { self.state = state }
    func add(_ value: Value) { state.add(value) }
    func result() -> Value { state.result() }
  }

  /// The objects of the tables, as a reader would give them.
  static func objects(_ connection: Connection) throws -> [SourceObject] {
    let columns = names.map { name in
      let parts = name.split(separator: ".")
      return parts.count == 1 ? "b.Z\(name.uppercased())" : "p.Z\(parts[1].uppercased())"
    }
    let statement = try connection.prepare(
      "SELECT b.Z_PK, \(columns.joined(separator: ", ")) \(from) ORDER BY b.Z_PK")
    var objects: [SourceObject] = []
    while try statement.step() {
      let row = statement.values()
      objects.append(
        SourceObject(shape: shape, key: row[0].integer ?? 0, values: Array(row.dropFirst())))
    }
    return objects
  }

  /// An object with the cells that are named; the others are NULL.
  static func object(key: Int64 = 1, _ cells: [String: Value] = [:]) -> SourceObject {
    SourceObject(shape: shape, key: key, values: names.map { cells[$0] ?? .null })
  }

  /// The frozen present of the tests.
  static let now = 700_000_000.5
  static var context: EvaluationContext { EvaluationContext(now: now) }

  /// The keys of the books for which a fragment holds, in ascending order.
  static func keys(_ connection: Connection, _ fragment: SQLFragment) throws -> [Int64] {
    let statement = try connection.prepare(
      "SELECT b.Z_PK \(from) WHERE \(fragment.sql) ORDER BY b.Z_PK")
    try statement.bind(fragment.bindings)
    var keys: [Int64] = []
    while try statement.step() { keys.append(statement.integer(at: 0)) }
    return keys
  }

  static func holds(_ text: String, _ object: SourceObject) throws -> Bool {
    let bound = try Binder.predicate(FormatParser.predicate(text), in: filter)
    return try CompiledPredicate(bound, slot: slot).evaluate(object, in: context)
  }

  static func value(
    _ text: String, _ object: SourceObject, expecting type: AttributeType? = nil
  ) throws -> Value {
    let bound = try Binder.expression(
      FormatParser.expression(text), in: value, expecting: type)
    return try CompiledExpression(bound, slot: slot).evaluate(object, in: context)
  }
}
