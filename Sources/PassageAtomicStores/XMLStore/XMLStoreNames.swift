internal import PassageDiagnostics
internal import PassageModels

/// The names in a Core Data XML store: entities in upper case, properties in lower case.
struct XMLStoreNames {
  private var entities: [String: String] = [:]
  private var properties: [String: [String: String]] = [:]
  /// The mistakes for names that the file cannot distinguish.
  private(set) var ambiguous: [Diagnostic] = []

  init(_ model: Model, facts: [String: EntityFacts], path: String) {
    for entity in model.entities {
      Self.note(entity.name, Self.entity(entity.name), in: &entities, &ambiguous, path)
      guard let facts = facts[entity.name] else { continue }
      var own: [String: String] = [:]
      for name in (Array(facts.attributes.keys) + Array(facts.relationships.keys)).sorted() {
        Self.note(name, Self.property(name), in: &own, &ambiguous, path)
      }
      properties[entity.name] = own
    }
  }

  private static func note(
    _ name: String, _ written: String, in names: inout [String: String],
    _ ambiguous: inout [Diagnostic], _ path: String
  ) {
    if let other = names[written], other != name {
      ambiguous.append(
        Diagnostic(
          "ATM-021", "“\(other)” and “\(name)” have the same name in the file, “\(written)”",
          at: SourceLocation(file: path),
          reason: "the file has entities in upper case and properties in lower case",
          remedy: "rename one of the two in the destination's model, or choose another type"))
    }
    names[written] = name
  }

  static func entity(_ name: String) -> String { name.uppercased() }
  static func property(_ name: String) -> String { name.lowercased() }

  /// The entity of an object, ignoring case.
  func entity(at written: String) -> String? { entities[written.uppercased()] }

  /// The property for an attribute or relationship, ignoring case.
  func property(at written: String, of entity: String) -> String? {
    properties[entity]?[written.lowercased()]
  }
}
