internal import PassageDiagnostics

/// Lines and columns of positions in a text, counted once where positions ascend.
struct TextPlaces {
  private let bytes: [UInt8]
  private let path: String
  /// CR ends the lines of a file that has no LF.
  private let lineEnd: UInt8
  private var counted = 0
  private var line = 1
  private var column = 1

  init(_ bytes: [UInt8], path: String) {
    self.bytes = bytes
    self.path = path
    lineEnd = bytes.contains(UInt8(ascii: "\n")) ? UInt8(ascii: "\n") : UInt8(ascii: "\r")
  }

  /// The place of a byte.
  ///
  /// - Complexity: O(n) in the bytes since the last position asked for, or since the beginning when
  ///   that one lies further on.
  mutating func location(of position: Int) -> SourceLocation {
    if position < counted { (counted, line, column) = (0, 1, 1) }
    while counted < min(position, bytes.count) {
      if bytes[counted] == lineEnd {
        line += 1
        column = 1
      } else if bytes[counted] & 0xC0 != 0x80 {
        column += 1
      }
      counted += 1
    }
    return SourceLocation(file: path, line: line, column: column)
  }
}
