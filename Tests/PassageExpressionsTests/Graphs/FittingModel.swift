import Foundation
import PassageExpressions
import PassageModels
import PassageValues
import TestSupport

/// Makes a model, arguments and variables that a given predicate may be about: every name in it is a
/// property of some random kind, so that the checker takes one of several of them.
struct FittingModel {
  private var random: RandomPredicate
  private(set) var entities: [String: Entity] = [:]

  init(random: RandomPredicate) { self.random = random }

  static func make(
    for predicate: ObjectPredicate, random: RandomPredicate
  ) -> (fitting: FittingModel, model: Model, variables: [String: PredicateArgument]) {
    var fitting = FittingModel(random: random)
    fitting.entities["E"] = Entity(name: "E", attributes: [])
    var variables: [String: PredicateArgument] = [:]
    fitting.visit(predicate, [:], &variables)
    let entities = fitting.entities.keys.sorted().compactMap { fitting.entities[$0] }
    return (fitting, Model(name: "Fitting", entities: entities), variables)
  }

  /// Something for each placeholder of a text, in their order.
  static func arguments(
    for conversions: [String], _ random: inout RandomPredicate
  ) -> [PredicateArgument] {
    conversions.enumerated().map { number, conversion in
      switch conversion.last {
      case "K": .keyPath("k\(number)")
      case "@": value(&random, depth: 1)
      case "s", "S": .string("abc")
      default: .integer(Int64.random(in: -2...9, using: &random.generator))
      }
    }
  }

  private static func value(_ random: inout RandomPredicate, depth: Int) -> PredicateArgument {
    switch Int.random(in: 0..<(depth > 0 ? 12 : 8), using: &random.generator) {
    case 0, 5, 6, 7: return .string(random.generator.pick(RandomPredicate.texts))
    case 1: return .integer(Int64.random(in: -2...9, using: &random.generator))
    case 2: return .real(0.5)
    case 3: return .date(Date(timeIntervalSinceReferenceDate: 1))
    case 4: return .boolean(true)
    default:
      let first = value(&random, depth: 0)
      return .list([first, first])
    }
  }

  // MARK: Walking a tree

  private mutating func visit(
    _ predicate: ObjectPredicate, _ scope: [String: String],
    _ variables: inout [String: PredicateArgument]
  ) {
    switch predicate {
    case .truth: break
    case .and(let parts), .or(let parts): for part in parts { visit(part, scope, &variables) }
    case .not(let operand): visit(operand, scope, &variables)
    case .comparison(let comparison):
      _ = visit(comparison.left, scope, &variables)
      _ = visit(comparison.right, scope, &variables)
    }
  }

  /// The entity an expression leads to, where it leads to one.
  private mutating func visit(
    _ expression: ValueExpression, _ scope: [String: String],
    _ variables: inout [String: PredicateArgument]
  ) -> String? {
    switch expression {
    case .constant, .placeholder: return nil
    case .selfObject: return "E"
    case .variable(let name, _):
      if let known = scope[name] { return known }
      variables[name] = variables[name] ?? Self.value(&random, depth: 1)
      return nil
    case .keyPath(let operand, let components, _):
      let start: String? = if let operand { visit(operand, scope, &variables) } else { "E" }
      guard let start else { return nil }
      let names = components.compactMap { if case .name(let name) = $0 { name } else { nil } }
      return walk(names, from: start, isCounted: components.contains(.collectionOperator("count")))
    case .function(let target, _, let arguments, _):
      for part in [target].compactMap(\.self) + arguments { _ = visit(part, scope, &variables) }
      return nil
    case .aggregate(let elements, _):
      for element in elements { _ = visit(element, scope, &variables) }
      return nil
    case .conditional(let condition, let then, let otherwise, _):
      visit(condition, scope, &variables)
      for part in [then, otherwise] { _ = visit(part, scope, &variables) }
      return nil
    case .subquery(let collection, let variable, let condition, _):
      let entity = visit(collection, scope, &variables)
      visit(condition, scope.merging([variable: entity ?? "E"]) { $1 }, &variables)
      return entity
    case .set(_, let left, let right, _):
      _ = visit(right, scope, &variables)
      return visit(left, scope, &variables)
    case .element(let collection, let index, _):
      if case .at(let place) = index { _ = visit(place, scope, &variables) }
      return visit(collection, scope, &variables)
    case .fetch: return nil
    case .assignment(_, let value, _): return visit(value, scope, &variables)
    }
  }

  private mutating func walk(_ names: [String], from start: String, isCounted: Bool) -> String? {
    var current = start
    for (index, name) in names.enumerated() where name != "length" && name.lowercased() != "self" {
      let isLast = index == names.count - 1
      let next = current + "_" + name
      guard let entity = entities[current] else { return nil }
      if entity.relationships.contains(where: { $0.name == name }) {
        current = next
        continue
      }
      if entity.attributes.contains(where: { $0.name == name }) {
        guard !isLast else { return nil }
        entities[current]?.attributes.removeAll { $0.name == name }
      } else if isLast, !random.generator.chance(isCounted ? 90 : 15) {
        let type = random.generator.pick([
          AttributeType.string, .string, .string, .integer32, .integer32, .double, .date, .boolean,
          .uuid,
        ])
        entities[current]?.attributes.append(Attribute(name: name, type: type))
        return nil
      }
      add(name, to: current, leadingTo: next)
      current = next
    }
    return current
  }

  private mutating func add(_ name: String, to entity: String, leadingTo next: String) {
    let isToMany = random.generator.chance(50)
    entities[entity]?.relationships.append(
      Relationship(
        name: name, destinationEntityName: next, inverseName: "inverse",
        maximumCount: isToMany ? 0 : 1, isOrdered: isToMany && random.generator.chance(40)))
    entities[next] = Entity(
      name: next,
      relationships: [
        Relationship(name: "inverse", destinationEntityName: entity, inverseName: name)
      ])
  }
}
