package import PassageDiagnostics

/// Finds mistakes in a model: in names, inheritance, relationships, attributes, indexes.
///
/// | code | mistake |
/// |---|---|
/// | `MOD-010` | a name is empty, not an identifier, or too long |
/// | `MOD-011` | an entity occurs twice |
/// | `MOD-012` | a property or an index occurs twice in an entity |
/// | `MOD-013` | the parent does not exist |
/// | `MOD-014` | an entity inherits from itself |
/// | `MOD-015` | inheritance is more than ``maximumDepth`` levels deep |
/// | `MOD-016` | a property has the name of an inherited one, and is another |
/// | `MOD-020` | a relationship's destination does not exist |
/// | `MOD-021` | a relationship's inverse does not exist |
/// | `MOD-022` | two relationships are not each other's inverse |
/// | `MOD-023` | a minimum count is greater than the maximum |
/// | `MOD-024` | a relationship has no inverse (warning) |
/// | `MOD-030` | a uniqueness constraint is empty or names no property |
/// | `MOD-031` | an index is empty or names no property |
/// | `MOD-040` | a default value does not fit the attribute's type |
/// | `MOD-041` | elements and the composite type do not go together |
/// | `MOD-042` | a derivation is not understood (warning) |
/// | `MOD-043` | a flag does not fit the attribute's type (warning) |
/// | `MOD-044` | a recorded version hash is not that of the entity |
/// | `MOD-045` | a configuration or fetch request names an entity that does not exist (warning) |
/// | `MOD-180` | the entities have more than 500,000 properties together |
/// | `MOD-099` | there are more mistakes than are listed |
package struct ModelChecker {
  /// The deepest inheritance of a model, in levels.
  package static let maximumDepth = 256

  /// The largest number of properties of all entities together, where inherited ones count for each
  /// descendant.
  static let maximumInheritedProperties = 500_000

  /// The number of findings that are listed individually.
  static let maximumFindings = 1_000

  let model: Model
  private let locations: ModelLocations
  let takesAnyName: Bool
  private var diagnostics = Diagnostics()
  private var similar = SimilarNames()
  private var unlisted = 0
  private var unlistedErrors = 0

  /// Every mistake of the model, in the order of its entities.
  ///
  /// - Parameters:
  ///   - model: the model; its entities need not be consistent.
  ///   - locations: the locations of its parts; empty for a model created in code.
  ///   - takesAnyName: whether a name need not be an identifier.
  /// - Complexity: O(n · d) for n properties and d levels of inheritance.
  package static func check(
    _ model: Model, locations: ModelLocations = ModelLocations(), takesAnyName: Bool = false
  ) -> Diagnostics {
    var checker = ModelChecker(model: model, locations: locations, takesAnyName: takesAnyName)
    checker.checkEntityNames()
    // All further checks follow the parents upwards.
    guard checker.checkInheritance() else { return checker.finished() }
    var previous: String?
    for entity in model.entities {
      // If two entities have the same name, the second is reported and not checked again.
      if entity.name == previous { continue }
      previous = entity.name
      checker.checkPropertyNames(of: entity)
      checker.checkAttributes(of: entity)
      checker.checkRelationships(of: entity)
      checker.checkConstraintsAndIndexes(of: entity)
    }
    checker.checkRecordedHashes()
    checker.checkFetchRequests()
    return checker.finished()
  }

  private init(model: Model, locations: ModelLocations, takesAnyName: Bool) {
    self.model = model
    self.locations = locations
    self.takesAnyName = takesAnyName
  }

  private func finished() -> Diagnostics {
    guard unlisted > 0 else { return diagnostics }
    var all = diagnostics
    all.append(
      Diagnostic(
        "MOD-099", "\(unlisted) more findings are not listed",
        severity: unlistedErrors > 0 ? .error : .warning,
        at: locations.file.map { SourceLocation(file: $0) }))
    return all
  }

  // MARK: Reporting

  mutating func report(
    _ code: String, _ message: String, severity: Diagnostic.Severity = .error,
    at part: ModelLocations.Part, last: Bool = false, reason: String? = nil, remedy: String? = nil
  ) {
    guard diagnostics.all.count < Self.maximumFindings else {
      unlisted += 1
      if severity == .error { unlistedErrors += 1 }
      return
    }
    diagnostics.append(
      Diagnostic(
        code, message, severity: severity, at: locations.location(of: part, last: last),
        reason: reason, remedy: remedy))
  }

  /// Reports a name that a part cannot have: in a file one that is no identifier, in code one that is empty
  /// or that SQL cannot hold.
  mutating func checkName(_ name: String, _ what: String, _ part: ModelLocations.Part) {
    let isName = takesAnyName ? !name.isEmpty && !name.utf8.contains(0) : name.isPropertyName
    guard !isName else { return }
    guard takesAnyName || name.utf8.count <= String.maximumNameBytes else {
      report(
        "MOD-010", "\(what) has a name of more than \(String.maximumNameBytes) bytes", at: part,
        remedy: "give it a shorter one")
      return
    }
    report(
      "MOD-010",
      name.isEmpty ? "\(what) has an empty name" : "\(what) cannot be named “\(name)”", at: part,
      reason: takesAnyName
        ? "a name has at least one character, and none of them is NUL"
        : "a name is a letter or an underscore, then letters, digits and underscores")
  }

  /// "did you mean …", if a candidate is close.
  ///
  /// - Parameter candidates: returns the candidates; not called after the limit of compared names.
  mutating func suggestion<Candidates: Collection<String>>(
    for name: String, in candidates: (Model) -> Candidates
  ) -> String? {
    let model = model
    return similar.suggestion(for: name) { candidates(model) }
  }
}
