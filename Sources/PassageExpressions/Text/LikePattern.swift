package import PassageDiagnostics

/// A parsed pattern of `LIKE`.
enum LikePattern: Sendable, Hashable {
  case scalars(WildcardPattern<Unicode.Scalar>)
  case letters(WildcardPattern<Character>)

  /// - Parameter unit: what `?` matches. Letters are those of folded texts.
  init(_ pattern: String, by unit: TextUnit) {
    self =
      switch unit {
      case .codeUnits: .scalars(WildcardPattern(pattern.unicodeScalars))
      case .letters: .letters(WildcardPattern(Self.letters(of: pattern)))
      }
  }

  /// Whether the whole text matches.
  ///
  /// - Throws: `PRE-031` if `?` among repeated characters makes the search too long.
  /// - Complexity: O(n + m) without `?`; with it O(n · m), with a limit that ends the search in
  ///   less than a second.
  func matches(_ text: String) throws(Diagnostic) -> Bool {
    switch self {
    case .scalars(let pattern): try pattern.matches(text.unicodeScalars)
    case .letters(let pattern):
      text.utf8.contains(UInt8(ascii: "\r"))
        ? try pattern.matches(Self.letters(of: text)) : try pattern.matches(text)
    }
  }

  /// The letters of a text, where a line ending of two characters counts as two.
  private static func letters(of text: String) -> [Character] {
    text.flatMap { $0 == "\r\n" ? ["\r", "\n"] : [$0] }
  }
}

/// A pattern with `*`, `?` and `\`, for a text made of units.
package struct WildcardPattern<Unit>: Sendable, Hashable
where Unit: Sendable & Hashable & ExpressibleByUnicodeScalarLiteral {
  /// The units between two asterisks; `nil` matches any unit.
  private typealias Segment = WildcardSegment<Unit>

  private var segments: [Segment] = []

  package init(_ pattern: some Sequence<Unit>) {
    var units: [Unit?] = []
    var isEscaped = false
    for unit in pattern {
      if isEscaped {
        units.append(unit)
        isEscaped = false
      } else if unit == "\\" {
        isEscaped = true
      } else if unit == "*" {
        // Several asterisks count as one.
        if segments.isEmpty || !units.isEmpty { segments.append(Segment(units)) }
        units = []
      } else {
        units.append(unit == "?" ? nil : unit)
      }
    }
    if isEscaped { units.append("\\") }
    segments.append(Segment(units))
  }

  /// Whether the whole text matches: the first segment at its beginning, the last one at its end,
  /// and each of the others at the first place after the one before it, since a later place leaves
  /// less text for those that follow.
  package func matches<Text: BidirectionalCollection<Unit>>(_ text: Text) throws(Diagnostic) -> Bool
  {
    guard let first = segments.first, let last = segments.last,
      var place = first.end(in: text, at: text.startIndex)
    else { return false }
    if segments.count == 1 { return place == text.endIndex }
    var search = WildcardSearch()
    for segment in segments.dropFirst().dropLast() {
      guard let end = try segment.firstEnd(in: text, from: place, &search) else { return false }
      place = end
    }
    guard let start = text.index(text.endIndex, offsetBy: -last.count, limitedBy: place) else {
      return false
    }
    return last.end(in: text, at: start) != nil
  }
}
