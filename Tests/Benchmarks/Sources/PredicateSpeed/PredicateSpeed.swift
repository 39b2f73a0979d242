internal import Passage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// `predicate-speed sql`: a line for each predicate, its SQL and the same by hand, with a tab between.
/// `predicate-speed memory`: comparisons in memory each second on one core, for each predicate.
@main
enum PredicateSpeed {
  /// A predicate, and the WHERE that a person would write for the table of `predicates.sh`.
  static let pairs = [
    ("mass < 500", "s.mass < 500"),
    ("name == \"name 7\"", "s.name = 'name 7'"),
    ("mass BETWEEN {100, 200} AND weight > 0.5", "s.mass BETWEEN 100 AND 200 AND s.weight > 0.5"),
    ("NOT (mass < 500)", "NOT (coalesce(s.mass < 500, 0))"),
    (
      "ANY parts.mass > 900",
      "EXISTS (SELECT 1 FROM part AS p WHERE p.item = s.pk AND p.mass > 900)"
    ),
    ("parts.@count == 1", "(SELECT count(*) FROM part AS p WHERE p.item = s.pk) = 1"),
  ]

  static let model = Model(
    name: "1",
    entities: [
      Entity(
        name: "Item",
        attributes: [
          Attribute(name: "mass", type: .integer64), Attribute(name: "name", type: .string),
          Attribute(name: "weight", type: .double),
        ],
        relationships: [
          Relationship(name: "parts", destinationEntityName: "Part", maximumCount: 0)
        ]),
      Entity(name: "Part", attributes: [Attribute(name: "mass", type: .integer64)]),
    ])

  static func main() throws {
    if CommandLine.arguments.dropFirst().first == "sql" {
      for (text, byHand) in pairs { print("\(text)\t\(try sql(text))\t\(byHand)") }
    } else {
      for text in ["mass < 500", "name == \"name 7\"", "weight > 0.5", "mass == 7"] {
        print("\(text)\t\(Int(try comparisonsPerSecond(text)))")
      }
    }
  }

  static func bind(_ text: String) throws -> BoundPredicate {
    try Binder.predicate(
      FormatParser.predicate(text), in: .filter(model: model, entity: model.entities[0]))
  }

  /// The predicate in SQL, its few constants written out.
  static func sql(_ text: String) throws -> String {
    let translation = SQLTranslator.predicate(
      try bind(text), form: .filter, now: 0,
      column: { $0.components.isEmpty ? "s.pk" : "s.\($0.name)" },
      related: { related, alias in
        RelatedRows(
          from: "part AS \(alias)", startKey: "\(alias).item", key: "\(alias).pk",
          cells: related.keyPaths.map { "\(alias).\($0.name)" }, order: ["\(alias).pk"])
      })
    guard case .sql(let fragment) = translation else { return "NULL" }
    var rest = fragment.bindings[...]
    return fragment.sql.map { character -> String in
      guard character == "?", let value = rest.popFirst() else { return String(character) }
      switch value {
      case .integer(let value): return String(value)
      case .real(let value): return String(value)
      case .text(let text): return "'\(text)'"
      default: return "NULL"
      }
    }.joined()
  }

  static func comparisonsPerSecond(_ text: String) throws -> Double {
    let bound = try bind(text)
    let names = ["mass", "name", "weight"]
    let shape = ObjectShape(entityName: "Item", names: names)
    let objects = (0..<1_000).map { number in
      SourceObject(
        shape: shape, key: Int64(number),
        values: [
          .integer(Int64(number)), .text("name \(number)"), .real(Double(number) / 1_000),
        ])
    }
    let compiled = try CompiledPredicate(bound, slot: { names.firstIndex(of: $0.name) ?? 0 })
    let context = EvaluationContext(now: 0)
    var found = 0
    let time = try ContinuousClock().measure {
      for _ in 0..<1_000 {
        for object in objects where try compiled.evaluate(object, in: context) { found += 1 }
      }
    }
    guard found > 0 else { return 0 }
    return 1_000_000
      / (Double(time.components.attoseconds) * 1e-18 + Double(time.components.seconds))
  }
}
