/// A pattern of `LIKE`, taken apart once.
enum LikePattern: Sendable, Hashable {
  case scalars(WildcardPattern<Unicode.Scalar>)
  case letters(WildcardPattern<Character>)

  /// - Parameter unit: what `?` stands for. Letters are those of folded texts.
  init(_ pattern: String, by unit: TextUnit) {
    self =
      switch unit {
      case .codeUnits: .scalars(WildcardPattern(pattern.unicodeScalars))
      case .letters: .letters(WildcardPattern(pattern))
      }
  }

  /// Whether the whole text fits.
  ///
  /// - Complexity: O(n · m) at worst.
  func matches(_ text: String) -> Bool {
    switch self {
    case .scalars(let pattern): pattern.matches(text.unicodeScalars)
    case .letters(let pattern): pattern.matches(text)
    }
  }
}

/// `*`, `?` and `\` among the units that a text is made of.
struct WildcardPattern<Unit>: Sendable, Hashable
where Unit: Sendable & Hashable & ExpressibleByUnicodeScalarLiteral {
  private enum Piece: Sendable, Hashable {
    case unit(Unit)
    case one
    case any
  }

  private var pieces: [Piece] = []

  init(_ pattern: some Sequence<Unit>) {
    var isEscaped = false
    for unit in pattern {
      if isEscaped {
        pieces.append(.unit(unit))
        isEscaped = false
      } else if unit == "\\" {
        isEscaped = true
      } else if unit == "*" {
        if pieces.last != .any { pieces.append(.any) }
      } else {
        pieces.append(unit == "?" ? .one : .unit(unit))
      }
    }
    if isEscaped { pieces.append(.unit("\\")) }
  }

  /// Whether the whole text fits.
  ///
  /// - Complexity: O(n · m) at worst: only the last `*` is ever tried again.
  func matches<Text: Collection<Unit>>(_ text: Text) -> Bool {
    var place = text.startIndex
    var piece = 0
    var retry: (piece: Int, place: Text.Index)?
    while place < text.endIndex {
      if piece < pieces.count {
        switch pieces[piece] {
        case .any:
          piece += 1
          retry = (piece, place)
          continue
        case .one:
          piece += 1
          place = text.index(after: place)
          continue
        case .unit(let unit) where unit == text[place]:
          piece += 1
          place = text.index(after: place)
          continue
        default: break
        }
      }
      guard let last = retry else { return false }
      let next = text.index(after: last.place)
      retry = (last.piece, next)
      piece = last.piece
      place = next
    }
    return pieces[piece...].allSatisfy { $0 == .any }
  }
}
