internal import PassageAtomicStores
internal import PassageDiagnostics

/// One object of a Core Data XML store, with its values still as text.
struct XMLStoreObject: Sendable {
  /// A value of an object.
  struct Attribute: Sendable {
    /// The name of the type in the file: `string`, `int16`, `bool`, `binary`.
    var type: String
    var text: String
    var location: SourceLocation
  }

  /// The related objects. They are a set: the order in the file has no meaning.
  struct Relationship: Sendable {
    var identifiers: [String]
    var location: SourceLocation
  }

  /// Unique in the file. It changes with every save.
  var identifier: String
  /// The entity's name in upper case.
  var type: String
  var attributes: [String: Attribute] = [:]
  var relationships: [String: Relationship] = [:]
  var location: SourceLocation

  /// Reads an `<object>`.
  ///
  /// - Returns: `nil` for an object without type or identifier.
  init?(_ element: MarkupElement, _ findings: inout Diagnostics) {
    location = element.location
    guard let type = element.attributes["type"], !type.isEmpty,
      let identifier = element.attributes["id"], !identifier.isEmpty
    else {
      findings.append(
        Diagnostic(
          "IMP-003", "an object has no \(element.attributes["id"] == nil ? "id" : "type")",
          at: element.location))
      return nil
    }
    self.identifier = identifier
    self.type = type.uppercased()
    for child in element.children {
      // A damaged file may have thousands of mistakes.
      guard findings.all.count < XMLStoreDocument.maximumFindings else { return }
      switch child.name {
      case "attribute": readAttribute(child, &findings)
      case "relationship": readRelationship(child, &findings)
      default: break
      }
    }
  }

  private mutating func readAttribute(_ element: MarkupElement, _ findings: inout Diagnostics) {
    guard let name = element.attributes["name"] else { return reportNameless(element, &findings) }
    guard attributes[name] == nil else { return reportTwice(name, element, &findings) }
    attributes[name] = Attribute(
      type: element.attributes["type"] ?? "", text: element.text, location: element.location)
  }

  private mutating func readRelationship(_ element: MarkupElement, _ findings: inout Diagnostics) {
    guard let name = element.attributes["name"] else { return reportNameless(element, &findings) }
    guard relationships[name] == nil else { return reportTwice(name, element, &findings) }
    relationships[name] = Relationship(
      identifiers: (element.attributes["idrefs"] ?? "").split { $0.isWhitespace }.map(String.init),
      location: element.location)
  }

  private func reportNameless(_ element: MarkupElement, _ findings: inout Diagnostics) {
    findings.append(
      Diagnostic(
        "IMP-003", "<\(element.name)> of the object “\(identifier)” has no name",
        at: element.location))
  }

  private func reportTwice(
    _ name: String, _ element: MarkupElement, _ findings: inout Diagnostics
  ) {
    findings.append(
      Diagnostic(
        "IMP-003", "the object “\(identifier)” has “\(name)” twice", at: element.location))
  }
}
