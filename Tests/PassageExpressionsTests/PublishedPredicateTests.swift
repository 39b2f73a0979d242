import Foundation
import PassageDiagnostics
import PassageExpressions
import PassageModels
import TestSupport
import Testing

/// Predicates of published apps, over stores of models that fit them.
@Suite struct PublishedPredicateTests {
  /// How many models are tried before a predicate is held to be about something that no store has.
  private static let tries = 300

  @Test(.enabled(if: FileManager.default.fileExists(atPath: FormatRoundTripTests.corpus.path)))
  func `a published predicate holds for the same objects in SQL and in memory`() throws {
    let lines = try String(contentsOf: FormatRoundTripTests.corpus, encoding: .utf8)
      .split(separator: "\n").dropFirst()
    var compared = 0
    var inMemoryOnly = 0
    var untyped: [String] = []
    for (number, line) in lines.enumerated() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count >= 3, fields[1] == "predicate" || fields[1] == "mapping-filter",
        let plain = try? FormatParser.predicate(String(fields[2]))
      else { continue }
      let text = String(fields[2])
      switch try compare(text, plain, seed: UInt64(number + 1)) {
      case .compared: compared += 1
      case .inMemoryOnly: inMemoryOnly += 1
      case .untyped(let reason): untyped.append("\(text)    \(reason)")
      }
    }
    print(
      "\(compared) published predicates compared, \(inMemoryOnly) in memory only, \(untyped.count) about no store:"
    )
    for line in untyped { print("  " + line) }
    #expect(compared > 240)
  }

  private enum Outcome {
    case compared
    case inMemoryOnly
    case untyped(String)
  }

  private func compare(_ text: String, _ plain: ObjectPredicate, seed: UInt64) throws
    -> Outcome
  {
    var random = RandomPredicate(generator: SeededRandom(seed: seed))
    let conversions = Self.conversions(text)
    var reason = ""
    for _ in 0..<Self.tries {
      let arguments = FittingModel.arguments(for: conversions, &random)
      let tree = try FormatParser.predicate(text, arguments: arguments)
      #expect(try FormatParser.predicate(tree.description) == tree, "\(text)")
      let (_, model, variables) = FittingModel.make(for: tree, random: random)
      random.generator = SeededRandom(seed: random.generator.next())
      guard let entity = model.entity(named: "E") else { continue }
      var scope = BindingScope.filter(model: model, entity: entity)
      scope.variables = variables
      let bound: BoundPredicate
      let negation: BoundPredicate
      do throws(Diagnostics) {
        bound = try Binder.predicate(tree, in: scope)
        negation = try Binder.predicate(.not(tree), in: scope)
      } catch {
        reason = error.all.first.map { "\($0.code) \($0.message)" } ?? ""
        continue
      }
      let graph = try ObjectGraph(model: model, objects: 20, random: &random)
      let inMemory = try graph.keysInMemory(bound, entity)
      #expect(try graph.keysInMemory(negation, entity).count == 20 - inMemory.count, "\(text)")
      guard let inSQL = try graph.keysInSQL(bound, entity, form: .filter),
        let opposite = try graph.keysInSQL(negation, entity, form: .filter)
      else { return .inMemoryOnly }
      #expect(inSQL == inMemory, "seed \(seed): \(tree)")
      #expect(Set(inSQL).isDisjoint(with: opposite), "seed \(seed): \(tree)")
      #expect(inSQL.count + opposite.count == 20, "seed \(seed): \(tree)")
      return .compared
    }
    return .untyped(reason)
  }

  /// The placeholders of a text in their order: as many arguments as it takes.
  private static func conversions(_ text: String) -> [String] {
    var conversions: [String] = []
    while conversions.count < 64 {
      do throws(Diagnostics) {
        _ = try FormatParser.predicate(text, arguments: conversions.map(argument))
        return conversions
      } catch {
        guard let message = error.all.first?.message,
          let conversion = message.split(separator: "%").last?.prefix(while: { $0 != " " }),
          error.all.first?.code == "PRE-003"
        else { return conversions }
        conversions.append(String(conversion))
      }
    }
    return conversions
  }

  private static func argument(_ conversion: String) -> PredicateArgument {
    switch conversion.last {
    case "K": .keyPath("k")
    case "@": .null
    case "s", "S": .string("")
    default: .integer(1)
    }
  }
}
