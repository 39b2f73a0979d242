import PassageDiagnostics
import PassageExpressions
import PassageModels
import PassageSQLite
import PassageStores
import PassageValues
import TestSupport
import Testing

/// The danger that what an app stored as 0.1 is not what a predicate calls 0.1.
@Suite struct FloatTests {
  static let model = Model(
    name: "Ratings",
    entities: [
      Entity(
        name: "Song",
        attributes: [
          Attribute(name: "rating", type: .float), Attribute(name: "other", type: .float),
          Attribute(name: "exact", type: .double),
        ],
        relationships: [
          Relationship(
            name: "covers", destinationEntityName: "Song", inverseName: "original",
            maximumCount: 0),
          Relationship(name: "original", destinationEntityName: "Song", inverseName: "covers"),
        ])
    ])

  /// Songs 1 to 5 are rated nil, 0.1, 0.2, 0.7 and 1, as an app stores them; song 6 was written by a
  /// program that stored 0.1 itself. Every song but the first is a cover of the one before it.
  static func graph() throws -> ObjectGraph {
    var random = RandomPredicate(generator: SeededRandom(seed: 1))
    let graph = try ObjectGraph(model: model, objects: 1, random: &random)
    let table = graph.layout.tables[0].name.quotedIdentifier
    try graph.connection.execute("DELETE FROM \(table)")
    let ratings: [Float?] = [nil, 0.1, 0.2, 0.7, 1]
    let stored = ratings.map { $0.map { Value.real(Double($0)) } ?? .null } + [.real(0.1)]
    for (index, rating) in stored.enumerated() {
      try graph.connection.execute(
        """
        INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT, ZRATING, ZOTHER, ZEXACT, ZORIGINAL)
        VALUES (?, 1, 1, ?, ?, ?, ?)
        """,
        [
          .integer(Int64(index + 1)), rating, rating, rating,
          index == 0 ? .null : .integer(Int64(index)),
        ])
    }
    return graph
  }

  @Test(
    arguments: [
      ("rating == 0.1", [2, 6]), ("0.1 == rating", [2, 6]), ("rating != 0.1", [1, 3, 4, 5]),
      ("NOT (rating == 0.1)", [1, 3, 4, 5]), ("rating < 0.1", []), ("rating <= 0.1", [2, 6]),
      ("rating > 0.1", [3, 4, 5]), ("rating >= 0.1", [2, 3, 4, 5, 6]), ("0.1 > rating", []),
      ("0.1 >= rating", [2, 6]), ("0.1 < rating", [3, 4, 5]), ("0.1 <= rating", [2, 3, 4, 5, 6]),
      ("rating < 0.7", [2, 3, 6]), ("rating <= 0.7", [2, 3, 4, 6]), ("rating >= 0.7", [4, 5]),
      ("rating > 0.7", [5]), ("rating == 1", [5]), ("rating == 0.05 + 0.05", [2, 6]),
      ("rating BETWEEN {0.1, 0.7}", [2, 3, 4, 6]), ("rating BETWEEN {0.2, 0.2}", [3]),
      ("0.1 BETWEEN {rating, other}", [2, 6]), ("NOT (rating BETWEEN {0.1, 0.7})", [1, 5]),
      ("rating IN {0.1, nil, 0.7}", [1, 2, 4, 6]), ("NOT (rating IN {0.1, 0.7})", [1, 3, 5]),
      ("0.1 IN {other, exact}", [2, 6]), ("0.2 IN {exact, rating}", [3]),
      ("rating == $TENTH", [2, 6]), ("rating IN $BOTH", [2, 4, 6]),
      ("($r := rating) > 0 AND $r == 0.1", [2, 6]), ("original.rating == 0.1", [3]),
      ("ANY covers.rating == 0.1", [1, 5]), ("ANY covers.rating IN {0.1, 0.2}", [1, 2, 5]),
      ("ALL covers.rating >= 0.7", [3, 4, 6]), ("0.2 IN covers.rating", [2]),
      ("covers.rating CONTAINS 0.7", [3]), ("covers.rating == {0.7}", [3]),
      ("SUBQUERY(covers, $c, $c.rating == 0.1).@count == 1", [1, 5]),
      ("covers.@max.rating == 0.7", [3]), ("covers.@distinctUnionOfObjects.rating == {0.2}", [2]),
      ("(covers.rating INTERSECT {0.1, 0.2}).@count == 1", [1, 2]),
      ("(covers.rating UNION {0.7}).@count == 1", [3, 6]),
      // A Double is what it is.
      ("exact == 0.1", [6]), ("exact IN {0.1}", [6]), ("exact <= 0.1", [6]),
      // Its text has the digits that an app shows.
      ("CAST(rating, 'NSString') == '0.1'", [2, 6]), ("rating.stringValue == '0.2'", [3]),
      ("CAST(rating, 'NSString') == '1'", [5]), ("ANY covers.rating.stringValue == '0.7'", [3]),
      ("lowercase(rating.stringValue) == '0.7'", [4]),
      ("CAST(exact, 'NSString') == '0.1'", [6]),
      ("CAST(exact, 'NSString') == '0.10000000149011612'", [2]),
      ("CAST(TERNARY(rating > 1, rating, other), 'NSString') == '0.2'", [3]),
      // No Float at all.
      ("rating < 1e300", [2, 3, 4, 5, 6]), ("rating > -1e300", [2, 3, 4, 5, 6]),
      ("rating > 1e-60", [2, 3, 4, 5, 6]), ("rating == 1e-60", []),
    ] as [(String, [Int64])])
  func `a constant beside a Float is the Float of that number`(
    text: String, keys: [Int64]
  ) throws {
    let graph = try Self.graph()
    let song = Self.model.entities[0]
    for semantics in [NullSemantics.inMemory, .coreDataSQL] {
      var scope = BindingScope.filter(model: Self.model, entity: song)
      scope.nullSemantics = semantics
      scope.variables = ["TENTH": .real(0.1), "BOTH": .list([.real(0.1), .real(0.7)])]
      let bound = try Binder.predicate(FormatParser.predicate(text), in: scope)
      let isNilLeft = semantics == .coreDataSQL && (text.contains("NOT") || text.contains("!="))
      let expected = isNilLeft ? keys.filter { $0 != 1 } : keys
      if text.contains("nil"), semantics == .coreDataSQL { continue }
      #expect(try graph.keysInMemory(bound, song) == expected, "\(semantics)")
      for form in [SQLTranslator.Form.value, .filter] {
        #expect(try graph.keysInSQL(bound, song, form: form) == expected, "\(semantics) \(form)")
      }
    }
  }

  @Test(arguments: [
    ("rating == 1e300", 1), ("rating IN {1e300, 1}", 1), ("rating BETWEEN {1e300, 1e301}", 1),
    ("rating == 3.4028235e38", 0), ("rating BETWEEN {-1e300, 1e300}", 0),
    // A Float may be infinite.
    ("rating > 1e300", 0), ("rating < 1e300", 0),
  ])
  func `a constant that no Float can be is a warning`(text: String, count: Int) throws {
    let bound = try Binder.predicate(
      FormatParser.predicate(text),
      in: .filter(model: Self.model, entity: Self.model.entities[0]))
    #expect(bound.warnings.all.map(\.code) == Array(repeating: "PRE-019", count: count))
  }
}
