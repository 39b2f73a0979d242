internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning

/// A text that is equal for two migrations whose work is interchangeable: same models, same mapping
/// models. How fast they run makes no difference.
struct PlanIdentity {
  let text: String

  init(steps: [PlannedStep], options: MigrationOptions) {
    var parts = ["passage 3", options.isForcedToRows ? "rows" : "lanes"]
    if options.leavesOutHistory { parts.append("without history") }
    if options.missingFiles == .drop { parts.append("without missing files") }
    for entity in steps.first?.source.entities ?? [] {
      // Where a store of another type keeps things is said there.
      for (name, texts) in [(entity.name, entity.userInfo)]
        + entity.attributes.map({ ($0.name, $0.userInfo) })
        + entity.relationships.map({ ($0.name, $0.userInfo) }) where !texts.isEmpty
      {
        parts.append(name)
        parts += texts.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
      }
    }
    for step in steps {
      parts.append(step.source.versionChecksum)
      parts.append(step.destination.versionChecksum)
      for pass in step.passes { parts.append(Self.text(pass.model)) }
    }
    // A digest of the parts, each with its length, so that no two lists give the same text.
    text = parts.map { "\($0.utf8.count):\($0)" }.joined()
  }

  private static func text(_ model: MappingModel) -> String {
    var lines = [model.name, model.source.value, model.destination.value]
    // Nothing is added for what most mapping models leave out, so that their runs can continue.
    if model.nullSemantics != .inMemory { lines.append(model.nullSemantics.rawValue) }
    for (name, value) in model.variables.sorted(by: { $0.key < $1.key }) {
      lines.append("$\(name)\t\(value.expressionText)")
    }
    for mapping in model.entityMappings {
      lines.append(
        [
          mapping.name.value, mapping.kind.rawValue, mapping.sourceEntityName?.value ?? "-",
          mapping.destinationEntityName?.value ?? "-", mapping.filter?.value ?? "-",
          mapping.policy?.name.value ?? "-",
        ].joined(separator: "\t"))
      for (name, value) in (mapping.policy?.userInfo ?? [:]).sorted(by: { $0.key < $1.key }) {
        lines.append("\(name)\t\(value)")
      }
      for property in mapping.attributeMappings + mapping.relationshipMappings {
        let source =
          switch property.source {
          case .sameName: "same"
          case .leftAtDefault: "default"
          case .expression(let text): "=\(text.value)"
          }
        lines.append("\(property.name.value)\t\(source)\t\(property.fallback?.value ?? "-")")
      }
    }
    return lines.joined(separator: "\n")
  }
}
