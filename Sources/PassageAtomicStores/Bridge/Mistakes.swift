internal import PassageDiagnostics
internal import PassageModels

/// Sentences about mistakes that several types find.
enum Mistakes {
  /// The first hundred in full, and how many more there are.
  static func listed(_ all: [Diagnostic], path: String) -> Diagnostics {
    var list = MistakeList()
    for mistake in all { list.append(mistake) }
    return list.diagnostics(path: path)
  }

  static func unknownEntity(
    _ name: String, _ model: Model, at location: SourceLocation?
  ) -> Diagnostic {
    Diagnostic(
      "ATM-005", "the model has no entity “\(name)”", at: location,
      remedy: nearest(to: name, in: model.entities.map(\.name)).map { "did you mean “\($0)”?" })
  }

  static func abstractEntity(_ name: String, at location: SourceLocation?) -> Diagnostic {
    Diagnostic(
      "ATM-022", "“\(name)” is abstract: no object is of this very entity", at: location,
      remedy: "name one of its subentities")
  }

  static func unknownProperty(
    _ name: String, of facts: EntityFacts, at location: SourceLocation?
  ) -> Diagnostic {
    let known = Array(facts.attributes.keys) + Array(facts.relationships.keys)
    return Diagnostic(
      "ATM-006", "“\(facts.entity.name)” has no property “\(name)”", at: location,
      remedy: nearest(to: name, in: known.sorted()).map { "did you mean “\($0)”?" })
  }
}
