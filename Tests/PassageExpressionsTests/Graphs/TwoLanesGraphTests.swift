import Foundation
import PassageDiagnostics
import PassageEngine
import PassageExpressions
import PassageModels
import PassageSQLite
import PassageStores
import TestSupport
import Testing

/// The danger that SQL and memory give two answers to one question about related objects.
@Suite struct TwoLanesGraphTests {
  /// How many predicates, and the first seed; a campaign takes them from the environment.
  static let count =
    ProcessInfo.processInfo.environment["PASSAGE_PREDICATES"].flatMap { Int($0) } ?? 2_000
  static let seed =
    ProcessInfo.processInfo.environment["PASSAGE_SEED"].flatMap { UInt64($0) } ?? 1

  static let predicatesPerModel = 50

  @Test(arguments: NullSemantics.allCases)
  func `a random predicate holds for the same related objects in SQL and in memory`(
    semantics: NullSemantics
  ) throws {
    var tally = Tally()
    let models = max(1, Self.count / Self.predicatesPerModel)
    print("\(Self.count) predicates, seeds \(Self.seed) to \(Self.seed + UInt64(models) - 1)")
    for number in 0..<models {
      try run(seed: Self.seed + UInt64(number), semantics, &tally)
    }
    print(
      "\(semantics): \(tally.compared) compared, \(tally.inMemoryOnly) in memory only, \(tally.refused) refused, \(tally.decided) tell objects apart"
    )
    #expect(tally.compared > Self.count * 3 / 4)
    #expect(tally.decided > Self.count / 5)
  }

  /// The danger that a column's affinity changes what is beside it in one set.
  @Test(arguments: [
    "(r.a UNION {-1, 9223372036854775807}) == {-1, 9223372036854775807}",
    "({9007199254740993, 2} UNION r.a).@count == 2",
    "r.@distinctUnionOfObjects.a UNION {9223372036854775807} == {9223372036854775807}",
  ])
  func `a set keeps its values beside a column of another kind`(text: String) throws {
    let model = Model(
      name: "Sets",
      entities: [
        Entity(
          name: "E0", attributes: [Attribute(name: "a", type: .double)],
          relationships: [
            Relationship(
              name: "r", destinationEntityName: "E0", inverseName: "b", maximumCount: 0),
            Relationship(name: "b", destinationEntityName: "E0", inverseName: "r"),
          ])
      ])
    var random = RandomPredicate(generator: SeededRandom(seed: 1))
    let graph = try ObjectGraph(model: model, objects: 7, random: &random)
    try graph.connection.execute("UPDATE \(graph.layout.tables[0].name) SET ZB = NULL")
    var tally = Tally()
    let entity = model.entities[0]
    try compare(text, entity, graph, .inMemory, text, &tally)
    #expect(tally.compared == 1)
    let bound = try Binder.predicate(
      FormatParser.predicate(text), in: .filter(model: model, entity: entity))
    #expect(try graph.keysInMemory(bound, entity).count == 7)
  }

  private struct Tally {
    var compared = 0
    var inMemoryOnly = 0
    var refused = 0
    var decided = 0
  }

  private func run(seed: UInt64, _ semantics: NullSemantics, _ tally: inout Tally) throws {
    var random = RandomPredicate(generator: SeededRandom(seed: seed))
    let model = RandomModel.make(&random.generator)
    let graph = try ObjectGraph(model: model, objects: 7, random: &random)
    var maker = GraphPredicate(model: model, random: random)
    for _ in 0..<Self.predicatesPerModel {
      let entity = maker.random.generator.pick(model.entities)
      let text = maker.predicate([.init(variable: nil, entity: entity)], depth: 3)
      try compare(text, entity, graph, semantics, "seed \(seed): \(text)", &tally)
    }
  }

  private func compare(
    _ text: String, _ entity: Entity, _ graph: ObjectGraph, _ semantics: NullSemantics,
    _ comment: String, _ tally: inout Tally
  ) throws {
    var scope = BindingScope.filter(model: graph.model, entity: entity)
    scope.nullSemantics = semantics
    let tree = try FormatParser.predicate(text)
    #expect(try FormatParser.predicate(tree.description) == tree, "\(comment)")
    let bound: BoundPredicate
    let negation: BoundPredicate
    do throws(Diagnostics) {
      bound = try Binder.predicate(tree, in: scope)
      negation = try Binder.predicate(.not(tree), in: scope)
    } catch {
      tally.refused += 1
      return
    }
    let inMemory = try graph.keysInMemory(bound, entity)
    let others = try graph.keysInMemory(negation, entity)
    #expect(Set(inMemory).isDisjoint(with: others), "\(comment)")
    if semantics == .inMemory { #expect(inMemory.count + others.count == 7, "\(comment)") }
    for form in [SQLTranslator.Form.value, .filter] {
      guard let inSQL = try graph.keysInSQL(bound, entity, form: form),
        let opposite = try graph.keysInSQL(negation, entity, form: form)
      else {
        tally.inMemoryOnly += 1
        return
      }
      #expect(inSQL == inMemory, "\(form) \(comment)")
      #expect(opposite == others, "\(form) NOT \(comment)")
    }
    tally.compared += 1
    if !inMemory.isEmpty, inMemory.count < 7 { tally.decided += 1 }
  }
}
