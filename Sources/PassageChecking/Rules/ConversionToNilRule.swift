internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels

/// `CAST` of a text, which gives nil for a text that it cannot read.
enum ConversionToNilRule: EntityMappingRule {
  static let code = "CHK-002"
  static let level = Diagnostic.Severity.warning

  static func findings(of place: MappingPlace, in project: CheckedProject) -> [CheckFinding] {
    place.mapping.attributes.filter { $0.fallback == nil }.flatMap { bound in
      bound.value.conversionsToNil.map { result in
        CheckFinding(
          diagnostic(
            "“\(bound.attribute.name)” becomes nil for a text that is not \(result)",
            at: place.location(of: bound.attribute.name),
            reason: "CAST gives nil for what it cannot read, and the text is lost",
            remedy:
              "use a function that fails instead, as parseNumber or parseDate, or give a "
              + "“default”"),
          about: place.places(property: bound.attribute.name))
      }
    }
  }
}
