/// A piece of a page, in HTML or SVG.
///
/// Markup enters only through the literals of this module: whatever stands in a literal's
/// interpolation is escaped, in texts and in attributes alike, so that a name from a file can never
/// become an element. Attributes are therefore always in quotation marks.
///
/// ```swift
/// let cell: Markup = "<td title='\(reason)'>\(name)</td>"
/// ```
package struct Markup: Sendable, Hashable {
  package private(set) var text: String

  /// The empty piece.
  package init() { text = "" }

  /// A text, escaped.
  package init(escaping text: String) { self.text = EscapedText.escaped(text) }

  /// Appends a piece.
  package mutating func append(_ other: Markup) { text += other.text }

  /// Two pieces, one after the other.
  package static func + (first: Markup, second: Markup) -> Markup {
    var markup = first
    markup.append(second)
    return markup
  }

  /// Whether there is nothing.
  package var isEmpty: Bool { text.isEmpty }
}

extension Markup: ExpressibleByStringInterpolation {
  /// Markup as it was written in this program.
  package init(stringLiteral text: String) { self.text = text }

  package init(stringInterpolation pieces: Pieces) { text = pieces.text }

  /// Collects literals as they are, and what is between them escaped.
  package struct Pieces: StringInterpolationProtocol {
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    package mutating func appendLiteral(_ literal: String) { text += literal }

    /// A text from anywhere, escaped.
    package mutating func appendInterpolation(_ value: String) {
      text += EscapedText.escaped(value)
    }

    /// A piece that is markup already.
    package mutating func appendInterpolation(_ value: Markup) { text += value.text }

    /// A length in a drawing, with one digit after the point.
    package mutating func appendInterpolation(_ value: Double) { text += Self.length(value) }

    package mutating func appendInterpolation(_ value: Int) { text += "\(value)" }

    private static func length(_ value: Double) -> String {
      guard value.isFinite, abs(value) < 1e9 else { return "0" }
      let tenths = Int((value * 10).rounded())
      let sign = tenths < 0 ? "-" : ""
      let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
      return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
    }
  }
}

extension Sequence<Markup> {
  /// All pieces, one after the other.
  package func joined(separator: Markup = "") -> Markup {
    var joined = Markup()
    var isFirst = true
    for piece in self {
      if !isFirst { joined.append(separator) }
      joined.append(piece)
      isFirst = false
    }
    return joined
  }
}
