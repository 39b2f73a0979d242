import Passage

/// No text may trap the parser, the binder, the translator or the evaluation, and a tree that was read
/// is printed and read again as itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPredicate(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  tryPredicate(text, arguments: nil)
  tryPredicate(text, arguments: [.keyPath("name"), 5, "abc", [1, .null], .keyPath("all.@count")])
  if let expression = try? FormatParser.expression(text) {
    let again = try? FormatParser.expression(expression.description)
    precondition(again == expression, "an expression changes when it is printed and read again")
    let scope = BindingScope.value(model: model, entity: model.entities[0], policyFunctions: nil)
    if let bound = try? Binder.expression(expression, in: scope, expecting: .string, at: nil) {
      _ = SQLTranslator.expression(bound, now: 0, column: { $0.name }, related: rows)
    }
  }
  return 0
}

private func tryPredicate(_ text: String, arguments: [PredicateArgument]?) {
  guard let predicate = try? FormatParser.predicate(text, arguments: arguments) else { return }
  let again = try? FormatParser.predicate(predicate.description)
  precondition(again == predicate, "a predicate changes when it is printed and read again")
  for semantics in NullSemantics.allCases {
    var scope = BindingScope.filter(model: model, entity: model.entities[0])
    scope.nullSemantics = semantics
    scope.variables = ["x": 3]
    guard let bound = try? Binder.predicate(predicate, in: scope, at: nil) else { return }
    for form in [SQLTranslator.Form.value, .filter] {
      _ = SQLTranslator.predicate(
        bound, form: form, now: 0, column: { $0.name }, related: rows)
    }
    let slots = bound.keyPaths.map(\.name)
    guard
      let compiled = try? CompiledPredicate(
        bound, slot: { slots.firstIndex(of: $0.name) ?? -1 })
    else { return }
    var context = EvaluationContext(now: 0)
    let reader = TwoObjects(bound.relatedObjects)
    context.relatedObjects = reader
    let shape = ObjectShape(entityName: "Event", names: slots)
    let cells = slots.indices.map { values[$0 % values.count] }
    let object = SourceObject(shape: shape, key: 1, values: cells)
    _ = try? compiled.evaluate(object, in: context)
  }
}

private let values: [Value] = ["abc", 5, .null, .real(0.5), .blob([1]), .malformedText([255])]

private func rows(_ related: RelatedObjects, _ alias: String) -> RelatedRows? {
  RelatedRows(
    from: alias, startKey: "k", key: "p", cells: related.keyPaths.map(\.name), order: ["p"])
}

/// Two objects are related to each, up to a bound on the whole.
private final class TwoObjects: RelatedObjectReader {
  private let related: [RelatedObjects]
  private var rest = 2_000

  init(_ related: [RelatedObjects]) { self.related = related }

  func forEachObject(
    of collection: Int, relatedTo key: Int64, once: Bool, _ body: (SourceObject) throws -> Bool
  ) throws {
    let names = related[collection].keyPaths.map(\.name)
    let shape = ObjectShape(entityName: related[collection].entityName, names: names)
    for number in 0..<2 where rest > 0 {
      rest -= 1
      let cells = names.indices.map { values[($0 + number) % values.count] }
      let object = SourceObject(shape: shape, key: Int64(number), values: cells)
      guard try body(object) else { return }
    }
  }
}

private let model = Model(
  name: "1",
  entities: [
    Entity(
      name: "Event",
      attributes: [
        Attribute(name: "name", type: .string), Attribute(name: "size", type: .integer32),
        Attribute(name: "timeStamp", type: .date), Attribute(name: "id", type: .uuid),
      ],
      relationships: [
        Relationship(name: "next", destinationEntityName: "Event"),
        Relationship(name: "all", destinationEntityName: "Event", maximumCount: 0),
        Relationship(
          name: "row", destinationEntityName: "Event", maximumCount: 0, isOrdered: true),
      ])
  ])
