extension Lexer {
  /// Reads the rest of a text up to its closing quotation mark.
  mutating func quoted(by mark: Unicode.Scalar, from start: Int) throws(SyntaxError) -> String {
    var text = String.UnicodeScalarView()
    while let scalar = peek {
      if scalar == mark {
        position += 1
        return String(text)
      }
      if scalar == "\\" {
        text.append(try escape())
      } else {
        text.append(scalar)
        position += 1
      }
    }
    throw SyntaxError(
      message: "the text that begins here has no closing \(mark)", offset: start,
      remedy: "inside a text, write the mark as \\\(mark)")
  }

  /// Reads an escape from its backslash on: `\ooo`, `\xHH`, `\uHHHH` and the usual letters.
  mutating func escape() throws(SyntaxError) -> Unicode.Scalar {
    let start = position
    position += 1
    guard let letter = peek else {
      throw SyntaxError(message: "the text ends inside an escape", offset: start)
    }
    position += 1
    switch letter {
    case "\"", "'", "\\", "*", "?":
      // A pattern's escapes of its wildcards keep their backslash; see below.
      if letter == "*" || letter == "?" {
        position -= 1
        return "\\"
      }
      return letter
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "0"..."7":
      position -= 1
      return try scalar(try digits(3, radix: 8, from: start), from: start)
    case "x", "X": return try scalar(try digits(2, radix: 16, from: start), from: start)
    case "U" where hexadecimalDigitsAhead > 4: return try longEscape(from: start)
    case "u" where peek == "{":
      throw SyntaxError(
        message: "4 digits are expected in this escape", offset: start,
        remedy: "write the character itself, or \\U and 8 digits, as in \\U0001F44D")
    case "u", "U":
      let unit = try digits(4, radix: 16, from: start)
      guard (0xD800..<0xDC00).contains(unit), peek == "\\", position + 1 < scalars.count,
        scalars[position + 1] == "u" || scalars[position + 1] == "U"
      else { return try scalar(unit, from: start) }
      position += 2
      let low = try digits(4, radix: 16, from: start)
      guard (0xDC00..<0xE000).contains(low) else {
        throw SyntaxError(message: "half a surrogate pair is not a character", offset: start)
      }
      return try scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00), from: start)
    default:
      throw SyntaxError(
        message: "there is no escape “\\\(letter)”", offset: start,
        remedy: "write \\\\\(letter) for a backslash and the letter")
    }
  }

  /// The number of hexadecimal digits that follow, up to nine.
  private var hexadecimalDigitsAhead: Int {
    scalars[position...].prefix(9).prefix { Self.digit($0) != nil }.count
  }

  /// `\UHHHHHHHH` as in C. Property lists write `\UHHHH`. If more than four digits follow, but not
  /// eight that are a character, it is unclear which one is meant.
  private mutating func longEscape(from start: Int) throws(SyntaxError) -> Unicode.Scalar {
    let ahead = hexadecimalDigitsAhead
    if ahead >= 8, let scalar = Unicode.Scalar(try digits(8, radix: 16, from: start)) {
      return scalar
    }
    throw SyntaxError(
      message: "\\U needs exactly 4 digits, or 8 digits that denote a character", offset: start,
      remedy: "write \\u and 4 digits, or \\U and 8, as in \\U0001F44D")
  }

  private mutating func digits(
    _ count: Int, radix: UInt32, from start: Int
  ) throws(SyntaxError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let digit = peek.flatMap({ Self.digit($0) }), digit < radix else {
        throw SyntaxError(message: "\(count) digits are expected in this escape", offset: start)
      }
      value = value * radix + digit
      position += 1
    }
    return value
  }

  private func scalar(_ value: UInt32, from start: Int) throws(SyntaxError) -> Unicode.Scalar {
    guard let scalar = Unicode.Scalar(value) else {
      throw SyntaxError(message: "half a surrogate pair is not a character", offset: start)
    }
    return scalar
  }

  /// Reads a number: decimal, with point or exponent, or `0x`, `0o`, `0b`.
  mutating func number() throws(SyntaxError) -> Token.Kind {
    let start = position
    if peek == "0", position + 1 < scalars.count, let radix = Self.radix(scalars[position + 1]) {
      position += 2
      return .integer(try integer(radix: radix, from: start))
    }
    var isReal = false
    skipDigits()
    if peek == ".", position + 1 < scalars.count, ("0"..."9").contains(scalars[position + 1]) {
      isReal = true
      position += 1
      skipDigits()
    }
    if peek == "e" || peek == "E" {
      isReal = true
      position += 1
      if peek == "+" || peek == "-" { position += 1 }
      guard let digit = peek, ("0"..."9").contains(digit) else {
        throw SyntaxError(message: "a digit is expected in the exponent", offset: position)
      }
      skipDigits()
    }
    let text = String(String.UnicodeScalarView(scalars[start..<position]))
    try requireEndOfNumber()
    if !isReal, let value = UInt64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else {
      throw SyntaxError(message: "the number is too large", offset: start)
    }
    return .real(value)
  }

  private mutating func integer(radix: UInt32, from start: Int) throws(SyntaxError) -> UInt64 {
    var value: UInt64 = 0
    let first = position
    while let digit = peek.flatMap({ Self.digit($0) }), digit < radix {
      let (shifted, tooLarge) = value.multipliedReportingOverflow(by: UInt64(radix))
      guard !tooLarge else {
        throw SyntaxError(message: "the number is too large", offset: start)
      }
      value = shifted | UInt64(digit)
      position += 1
    }
    guard position > first else {
      throw SyntaxError(message: "a digit of base \(radix) is expected here", offset: position)
    }
    try requireEndOfNumber()
    return value
  }

  private func requireEndOfNumber() throws(SyntaxError) {
    if let scalar = peek, WordLetters.areInside(scalar) {
      throw SyntaxError(
        message: "“\(scalar)” cannot be in this number", offset: position,
        remedy: "put a text in quotation marks; a name cannot begin with a digit")
    }
  }

  private mutating func skipDigits() {
    while let scalar = peek, ("0"..."9").contains(scalar) { position += 1 }
  }

  private static func radix(_ letter: Unicode.Scalar) -> UInt32? {
    switch letter {
    case "x", "X": 16
    case "o", "O": 8
    case "b", "B": 2
    default: nil
    }
  }

  private static func digit(_ scalar: Unicode.Scalar) -> UInt32? {
    switch scalar {
    case "0"..."9": scalar.value - 0x30
    case "a"..."f": scalar.value - 0x61 + 10
    case "A"..."F": scalar.value - 0x41 + 10
    default: nil
    }
  }
}
