import Passage
import PassageEngine
import PassageExpressions
import PassageStores
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// Functions of the object itself and of its related objects, in both lanes.
@Suite struct ObjectFunctionTests {
  static let source = Model(
    "1",
    [
      Entity(
        "Row", [.text("name")],
        [.many("tags", "Tag", inverse: "rows")]),
      Entity(
        "Tag", [.text("name")],
        [.many("rows", "Row", inverse: "tags")]),
    ])
  static let destination = Model(
    "2",
    [
      Entity(
        "Row",
        [
          .text("labels"), .number("formerKey"), .text("formerURI"),
          Attribute(name: "id", type: .uuid), Attribute(name: "other", type: .uuid),
          .date("made"),
        ])
    ])

  static func trial(_ attributes: String) throws -> Trial {
    let mappings = try mapping(
      """
      {"type": "transform", "source": "Row", "destination": "Row", "attributes": {\(attributes)}},
      {"type": "remove", "source": "Tag"}
      """)
    return try Trial(source, destination, [mappings]) { store in
      let names: [Value] = [.text("ä"), .text("b"), .text("B"), .null, .text("a")]
      let tags = try names.map { try store.insert("Tag", ["name": $0]) }
      try store.insert("Row", ["name": "x"], ["tags": tags])
      try store.insert("Row", ["name": "y"], ["tags": [tags[3]]])
      try store.insert("Row", ["name": "z"])
    }
  }

  @Test func `texts of related objects are joined in the order of their code units`() throws {
    let (found, _) = try Self.trial(#""labels": "join(', ', $source.tags.name)""#).migrate()
    #expect(found["Row"].map { $0["labels"] } == [.text("B, a, b, ä"), .null, .null])
  }

  @Test func `the key and the URI are those of the source object`() throws {
    let trial = try Self.trial(
      #""formerKey": "objectKey()", "formerURI": "objectURI()""#)
    let (found, _) = try trial.migrate()
    let uuid = try StoreFile.open(path: trial.sourcePath).metadata.storeUUID
    #expect(found["Row"].map { $0["formerKey"] } == [1, 2, 3])
    #expect(
      found["Row"].map { $0["formerURI"] }
        == (1...3).map { .text("x-coredata://\(uuid)/Row/p\($0)") })
  }

  @Test func `a continued run gives the random UUIDs of the time when it began`() throws {
    let trial = try Self.trial(
      #""id": "randomUUID()", "other": "randomUUID()", "made": "now()""#)
    let store = try StoreFile.open(path: trial.sourcePath).metadata.storeUUID
    let names = try Interruptions.anyBatches(of: trial, places: 2, longest: 3)
    for name in names {
      let rows = try StoreContents(
        path: trial.directory.path(name), model: Self.destination)["Row"]
      #expect(rows.count == 3)
      #expect(Set(rows.flatMap { [$0["id"], $0["other"]] }).count == 6)
      for (index, row) in rows.enumerated() {
        let made = try #require(row["made"].double)
        for attribute in ["id", "other"] {
          #expect(
            try row[attribute]
              == Self.randomUUID(now: made, store: store, key: Int64(index + 1), attribute))
        }
      }
    }
  }

  /// What the function gives for an object, in memory.
  private static func randomUUID(
    now: Double, store: String, key: Int64, _ attribute: String
  ) throws -> Value {
    var scope = BindingScope.value(model: source, entity: source.entities[0])
    scope.place = "Step RowToRow \(attribute)"
    let bound = try Binder.expression(FormatParser.expression("randomUUID()"), in: scope)
    var context = EvaluationContext(now: now)
    context.lookUp = { _, _ in .text(store) }
    let shape = ObjectShape(entityName: "Row", names: [])
    return try CompiledExpression(bound) { _ in 0 }.evaluate(
      SourceObject(shape: shape, key: key, values: []), in: context)
  }
}
