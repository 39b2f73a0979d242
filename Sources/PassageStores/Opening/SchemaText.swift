internal import PassagePlatform

/// Parses the SQL text of a schema as far as needed to find function calls.
enum SchemaText {
  /// Whether the condition of a `CREATE INDEX` statement calls a function or concatenates texts.
  ///
  /// SQLite has accepted the text before. Anything that is not understood here counts as a call.
  ///
  /// - Complexity: O(n) in the bytes of the text.
  static func callsInCondition(_ sql: String) -> Bool {
    var tokens = Tokens(bytes: Array(sql.utf8))
    var depth = 0
    var isCondition = false
    var last = Token.other
    while let token = tokens.next() {
      switch token {
      case .open:
        if isCondition, case .name = last { return true }
        depth += 1
      case .close: depth -= 1
      case .join: if isCondition { return true }
      case .name("WHERE") where depth == 0: isCondition = true
      case .name, .keyword, .other: break
      }
      last = token
      if case .name(let name) = token, operators.contains(name) { last = .keyword }
    }
    return false
  }

  /// Words before a parenthesis that does not begin a call.
  private static let operators: Set<String> = [
    "WHERE", "AND", "OR", "NOT", "IN", "IS", "BETWEEN", "CASE", "WHEN", "THEN", "ELSE", "ISNULL",
    "NOTNULL", "NULL",
  ]

  private enum Token {
    /// A word in upper case; empty if it was quoted.
    case name(String)
    case keyword
    case open
    case close
    /// `||`
    case join
    case other
  }

  private struct Tokens {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    private func byte(_ offset: Int = 0) -> UInt8? {
      position + offset < bytes.count ? bytes[position + offset] : nil
    }

    mutating func next() -> Token? {
      while let byte = byte() {
        switch byte {
        case UInt8(ascii: " "), 9, 10, 12, 13: position += 1
        case UInt8(ascii: "-") where self.byte(1) == UInt8(ascii: "-"):
          while let next = self.byte(), next != 10 { position += 1 }
        case UInt8(ascii: "/") where self.byte(1) == UInt8(ascii: "*"):
          position += 2
          while let next = self.byte(),
            !(next == UInt8(ascii: "*") && self.byte(1) == UInt8(ascii: "/"))
          { position += 1 }
          position += 2
        case UInt8(ascii: "'"):
          skipQuoted(until: byte)
          return .other
        case UInt8(ascii: "\""), UInt8(ascii: "`"):
          skipQuoted(until: byte)
          return .name("")
        case UInt8(ascii: "["):
          skipQuoted(until: UInt8(ascii: "]"))
          return .name("")
        case UInt8(ascii: "("):
          position += 1
          return .open
        case UInt8(ascii: ")"):
          position += 1
          return .close
        case UInt8(ascii: "|") where self.byte(1) == UInt8(ascii: "|"):
          position += 2
          return .join
        case _ where Self.isWord(byte): return word()
        default:
          position += 1
          return .other
        }
      }
      return nil
    }

    private mutating func word() -> Token {
      let start = position
      while let byte = byte(), Self.isWord(byte) { position += 1 }
      return .name(String(decoding: bytes[start..<position], as: UTF8.self).uppercasedInASCII)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
        true
      default: false
      }
    }

    /// A doubled quotation mark continues the same text.
    private mutating func skipQuoted(until end: UInt8) {
      position += 1
      while let byte = byte() {
        position += 1
        if byte == end {
          guard self.byte() == end, end != UInt8(ascii: "]") else { return }
          position += 1
        }
      }
    }
  }
}
