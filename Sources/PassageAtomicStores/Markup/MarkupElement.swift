package import PassageDiagnostics

/// One element of an XML file, with its location.
package struct MarkupElement: Sendable {
  package var name: String
  package var attributes: [String: String]
  package var children: [MarkupElement] = []
  /// The text directly inside the element, without white space at its ends unless the reader keeps
  /// it.
  package var text = ""
  package var location: SourceLocation

  package init(
    name: String, attributes: [String: String], children: [MarkupElement] = [], text: String = "",
    location: SourceLocation
  ) {
    self.name = name
    self.attributes = attributes
    self.children = children
    self.text = text
    self.location = location
  }

  /// The children with this name, in order.
  package func children(named name: String) -> [MarkupElement] {
    children.filter { $0.name == name }
  }
}
