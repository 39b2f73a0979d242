internal import PassageDiagnostics
internal import PassageModels
internal import PassagePlatform

/// Messages for mistakes that several types find. A link is named by entity and relationship, in
/// quotation marks.
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

  /// The names of a header or a record that occur twice. Names that differ only in their normalization are one
  /// name, and the message says so.
  static func repeated<Element>(
    _ what: String, in elements: [Element], name: (Element) -> String,
    location: (Element) -> SourceLocation
  ) -> [Diagnostic] {
    var seen: Set<String> = []
    return elements.compactMap { element in
      let name = name(element)
      let (isNew, first) = seen.insert(name)
      guard !isNew else { return nil }
      let isSame = first.hasBytes(of: name)
      return Diagnostic(
        "ATM-007",
        "\(named(what, name)) occurs twice\(isSame ? "" : ", made of different characters")",
        at: location(element),
        reason: isSame ? nil : "names that differ only in their Unicode normalization are one name")
    }
  }

  /// The warning that objects lost links because the linked records were quarantined.
  static func emptied(_ count: Int64, _ link: String, path: String) -> Diagnostic {
    Diagnostic(
      "ATM-103",
      "\(link) of \(count) object\(count == 1 ? "" : "s") led to quarantined records: these links "
        + "are left out",
      severity: .warning, at: SourceLocation(file: path),
      remedy: "correct the quarantined records and migrate again")
  }

  /// The warning that lists name objects more than once.
  static func repeatedLinks(_ count: Int64, _ link: String, path: String) -> Diagnostic {
    Diagnostic(
      "ATM-104",
      "\(link) names \(NumberText.count(count, "object")) again that the same list names already",
      severity: .warning, at: SourceLocation(file: path),
      reason: "an object is related to another object at most once",
      remedy: "no action is needed, unless the app counts the links of the list")
  }

  static func repeatedIdentifier(
    of entity: String, at location: SourceLocation?, other: SourceLocation?
  ) -> Diagnostic {
    Diagnostic(
      "ATM-009", "the identifier of an object of “\(entity)” occurs twice", at: location,
      reason: other.map { "the other is at \($0)" },
      remedy: "change one of them: identifiers must be unique in a hierarchy of entities")
  }

  /// The warning that the identifiers of a hierarchy are replaced by numbers.
  static func replacedIdentifiers(of root: String, path: String) -> Diagnostic {
    Diagnostic(
      "ATM-101", "the identifiers of the objects of “\(root)” are replaced by numbers",
      severity: .warning, at: SourceLocation(file: path),
      reason: "not every identifier is a whole number greater than 0",
      remedy: "to keep them, give the model an attribute with the identifier's name")
  }

  static func missingValue(
    _ attribute: String, of entity: String, at location: SourceLocation?
  ) -> Diagnostic {
    Diagnostic(
      "ATM-011", "the required attribute “\(entity).\(attribute)” has no value", at: location)
  }

  static func unknownEntity(
    _ name: String, _ model: Model, _ similar: inout SimilarNames, at location: SourceLocation?
  ) -> Diagnostic {
    Diagnostic(
      "ATM-005", "the model has no \(named("entity", name))", at: location,
      remedy: similar.suggestion(for: name) { model.entities.map(\.name) })
  }

  static func abstractEntity(_ name: String, at location: SourceLocation?) -> Diagnostic {
    Diagnostic(
      "ATM-022", "“\(name)” is abstract and has no objects of its own", at: location,
      remedy: "name one of its subentities")
  }

  static func unknownProperty(
    _ name: String, of facts: EntityFacts, _ similar: inout SimilarNames,
    at location: SourceLocation?
  ) -> Diagnostic {
    Diagnostic(
      "ATM-006", "“\(facts.entity.name)” has no \(named("property", name))", at: location,
      remedy: similar.suggestion(for: name) {
        (Array(facts.attributes.keys) + Array(facts.relationships.keys)).sorted()
      })
  }

  // MARK: Links

  static func missingTarget(of link: String, at location: SourceLocation?) -> Diagnostic {
    Diagnostic(
      "ATM-012", "\(link) leads to an object that does not exist", at: location,
      remedy: "add the object, or remove the reference")
  }

  /// The mistake of an object that requires a quarantined one.
  ///
  /// - Parameter cause: the location of the quarantined object.
  static func quarantinedTarget(
    of link: String, at location: SourceLocation?, cause: SourceLocation?
  ) -> Diagnostic {
    Diagnostic(
      "ATM-012",
      "\(link) leads to an object that was quarantined" + (cause.map { ", at \($0)" } ?? ""),
      at: location, reason: "the relationship is required")
  }

  /// The mistake of a link to an object of an entity to which the relationship does not lead.
  static func wrongTarget(
    of link: String, _ entity: String, _ relationship: Relationship, at location: SourceLocation?
  ) -> Diagnostic {
    Diagnostic(
      "ATM-013", "\(link) leads to an object of “\(entity)”", at: location,
      reason: "the relationship leads to objects of “\(relationship.destinationEntityName)”")
  }

  /// The mistake of a to-one relationship with several references.
  static func severalTargets(of link: String, at location: SourceLocation?) -> Diagnostic {
    Diagnostic(
      "ATM-014", "\(link) leads to several objects", at: location,
      reason: "it is a to-one relationship")
  }

  /// The mistake of a link whose target leads to another object by the inverse relationship.
  static func contradiction(
    of link: String, at location: SourceLocation?, inverse: String, of entity: String,
    at other: SourceLocation?
  ) -> Diagnostic {
    let place = other.map { " at \($0)" } ?? ""
    return Diagnostic(
      "ATM-014", "\(link) contradicts the other side", at: location,
      reason: "“\(inverse)” of the object of “\(entity)”\(place) leads to another object",
      remedy: "both sides of a relationship must agree; one of them is enough")
  }
}
