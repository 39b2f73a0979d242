/// The colours of a text, or none.
package struct Palette: Sendable, Equatable {
  /// What a part of a text is.
  package enum Part: String, Sendable {
    case error = "1;31"
    case warning = "33"
    case place = "36"
    case label = "2"
    case caret = "31"
    case progress = "32"
  }

  /// Whether there are colours.
  package var isColored: Bool

  /// Text without colours.
  package static let plain = Palette(isColored: false)

  /// - Parameter isColored: whether there are colours.
  package init(isColored: Bool) { self.isColored = isColored }

  /// The text in the colour of the part, or unchanged.
  package func paint(_ text: String, _ part: Part) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(part.rawValue)m\(text)\u{1B}[0m" : text
  }
}
