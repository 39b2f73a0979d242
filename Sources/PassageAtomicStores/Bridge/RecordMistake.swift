internal import PassageDiagnostics
internal import PassageModels

/// Messages for mistakes that several types find.
///
/// A text file holds an app's values, and identifiers are values too. A message therefore contains
/// the location, but no text from the file except names.
enum RecordMistake {
  /// The first hundred mistakes in full, and the number of further ones.
  static func listed(_ all: [Diagnostic], path: String) -> Diagnostics {
    var list = MistakeList()
    for mistake in all { list.append(mistake) }
    return list.diagnostics(path: path)
  }

  /// What the name denotes, followed by the name in quotation marks. The name is left out if it
  /// cannot be one: a shifted field or a missing header puts values in its place.
  static func named(_ what: String, _ name: String) -> String {
    let isName =
      name.utf8.count <= 64 && name.first?.isNumber == false
      && name.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
    return isName ? "\(what) “\(name)”" : "\(what) with the name given here"
  }

  /// The warning that objects lost links because the linked records were quarantined.
  ///
  /// - Parameter link: entity and relationship, in quotation marks.
  static func emptied(_ count: Int64, _ link: String, path: String) -> Diagnostic {
    Diagnostic(
      "ATM-103",
      "\(link) of \(count) object\(count == 1 ? "" : "s") led to quarantined records: these links "
        + "are left out",
      severity: .warning, at: SourceLocation(file: path),
      remedy: "correct the quarantined records and migrate again")
  }

  static func repeatedIdentifier(
    of entity: String, at location: SourceLocation?, other: SourceLocation?
  ) -> Diagnostic {
    Diagnostic(
      "ATM-009", "the identifier of an object of “\(entity)” occurs twice", at: location,
      reason: other.map { "the other is at \($0)" },
      remedy: "change one of them: identifiers must be unique in a hierarchy of entities")
  }

  /// The reason for a contradiction: the inverse leads to another object.
  static func contradiction(
    _ inverse: String, of entity: String, at location: SourceLocation?
  ) -> String {
    let place = location.map { " at \($0)" } ?? ""
    return "“\(inverse)” of the object of “\(entity)”\(place) leads to another object"
  }

  static func unknownEntity(
    _ name: String, _ model: Model, at location: SourceLocation?
  ) -> Diagnostic {
    Diagnostic(
      "ATM-005", "the model has no \(named("entity", name))", at: location,
      remedy: nearest(to: name, in: model.entities.map(\.name)).map { "did you mean “\($0)”?" })
  }

  static func abstractEntity(_ name: String, at location: SourceLocation?) -> Diagnostic {
    Diagnostic(
      "ATM-022", "“\(name)” is abstract and has no objects of its own", at: location,
      remedy: "name one of its subentities")
  }

  static func unknownProperty(
    _ name: String, of facts: EntityFacts, at location: SourceLocation?
  ) -> Diagnostic {
    let known = Array(facts.attributes.keys) + Array(facts.relationships.keys)
    return Diagnostic(
      "ATM-006", "“\(facts.entity.name)” has no \(named("property", name))", at: location,
      remedy: nearest(to: name, in: known.sorted()).map { "did you mean “\($0)”?" })
  }
}
