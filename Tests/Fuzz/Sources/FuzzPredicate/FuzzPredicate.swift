import Passage

/// No text may trap the parser, the binder or the translator, and a tree that was read is printed
/// and read again as itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPredicate(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  if let predicate = try? FormatParser.predicate(text) {
    let again = try? FormatParser.predicate(predicate.description)
    precondition(again == predicate, "a predicate changes when it is printed and read again")
    let scope = BindingScope.filter(model: model, entity: model.entities[0])
    if let bound = try? Binder.predicate(predicate, in: scope, at: nil) {
      _ = SQLTranslator.predicate(bound, now: 0, column: { $0.name })
    }
  }
  if let expression = try? FormatParser.expression(text) {
    let again = try? FormatParser.expression(expression.description)
    precondition(again == expression, "an expression changes when it is printed and read again")
    let scope = BindingScope.value(model: model, entity: model.entities[0], policyFunctions: nil)
    if let bound = try? Binder.expression(expression, in: scope, expecting: .string, at: nil) {
      _ = SQLTranslator.expression(bound, now: 0, column: { $0.name })
    }
  }
  return 0
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
      relationships: [Relationship(name: "next", destinationEntityName: "Event")])
  ])
