internal import PassageDiagnostics
internal import PassageMappings
internal import PassageModels

/// Values that go unchanged into an attribute of a type that cannot hold all of them.
enum NarrowedTypeRule: EntityMappingRule {
  static let code = "CHK-003"
  static let level = Diagnostic.Severity.warning

  static func findings(of place: MappingPlace, in project: CheckedProject) -> [CheckFinding] {
    place.mapping.attributes.compactMap { bound in
      guard let old = place.copiedAttribute(of: bound),
        let loss = loss(from: old.type, to: bound.attribute.type)
      else { return nil }
      return CheckFinding(
        diagnostic(
          "“\(bound.attribute.name)” is narrower than “\(old.name)”: \(old.type.name) becomes "
            + bound.attribute.type.name,
          at: place.location(of: bound.attribute.name), reason: loss,
          remedy: "keep the wider type, or convert the values with an expression that says what "
            + "becomes of those that do not fit"),
        about: place.places(property: bound.attribute.name))
    }
  }

  /// What an attribute of the second type cannot hold of the first; `nil` if it can hold all.
  static func loss(from old: AttributeType, to new: AttributeType) -> String? {
    switch (old, new) {
    case (.integer32, .integer16), (.integer64, .integer16):
      "it holds whole numbers from -32,768 to 32,767 only"
    case (.integer64, .integer32):
      "it holds whole numbers from -2,147,483,648 to 2,147,483,647 only"
    case (.decimal, .integer16), (.decimal, .integer32), (.decimal, .integer64),
      (.double, .integer16), (.double, .integer32), (.double, .integer64),
      (.float, .integer16), (.float, .integer32), (.float, .integer64):
      "it holds no fractions"
    case (.integer16, .boolean), (.integer32, .boolean), (.integer64, .boolean),
      (.decimal, .boolean), (.double, .boolean), (.float, .boolean):
      "it holds 0 and 1 only"
    case (.double, .float), (.decimal, .float): "it holds about 7 digits only"
    case (.decimal, .double): "it holds about 15 digits only"
    case (.integer32, .float), (.integer64, .float):
      "it holds whole numbers exactly up to 16,777,216 only"
    case (.integer64, .double):
      "it holds whole numbers exactly up to 9,007,199,254,740,992 only"
    default: nil
    }
  }
}
