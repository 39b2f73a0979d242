internal import PassageDiagnostics

/// One element of an XML file, with its place.
struct MarkupElement: Sendable {
  var name: String
  var attributes: [String: String]
  var children: [MarkupElement] = []
  /// The text directly inside the element, white space at its ends removed.
  var text = ""
  var location: SourceLocation

  /// The children with this name, in order.
  func children(named name: String) -> [MarkupElement] { children.filter { $0.name == name } }
}
