/// Text in XML.
enum MarkupText {
  /// The text with entities for characters that have a meaning in XML.
  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("\r", with: "&#13;")
  }
}
