/// A pattern of `LIKE`, taken apart once.
struct LikePattern: Sendable, Hashable {
  private enum Piece: Hashable {
    case scalar(Unicode.Scalar)
    case one
    case any
  }

  private var pieces: [Piece] = []

  init(_ pattern: String) {
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if isEscaped {
        pieces.append(.scalar(scalar))
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "*" {
        if pieces.last != .any { pieces.append(.any) }
      } else {
        pieces.append(scalar == "?" ? .one : .scalar(scalar))
      }
    }
    if isEscaped { pieces.append(.scalar("\\")) }
  }

  /// Whether the whole text fits.
  ///
  /// - Complexity: O(n · m) at worst: only the last `*` is ever tried again.
  func matches(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    var place = scalars.startIndex
    var piece = 0
    var retry: (piece: Int, place: String.UnicodeScalarView.Index)?
    while place < scalars.endIndex {
      if piece < pieces.count {
        switch pieces[piece] {
        case .any:
          piece += 1
          retry = (piece, place)
          continue
        case .one:
          piece += 1
          place = scalars.index(after: place)
          continue
        case .scalar(let scalar) where scalar == scalars[place]:
          piece += 1
          place = scalars.index(after: place)
          continue
        default: break
        }
      }
      guard let last = retry else { return false }
      let next = scalars.index(after: last.place)
      retry = (last.piece, next)
      piece = last.piece
      place = next
    }
    return pieces[piece...].allSatisfy { $0 == .any }
  }
}
