/// Text in markup.
enum MarkupText {
  /// The text with entities for what markup keeps for itself.
  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("\r", with: "&#13;")
  }
}
