internal import PassagePlatform

/// Parses a JSON text (RFC 8259) into a tree of values with their locations.
///
/// It is strict: no comments, no trailing commas, no duplicate members. It accepts at most
/// ``maximumBytes`` bytes, ``maximumDepth`` levels and ``maximumValues`` values.
package struct JSONParser {
  package static let maximumBytes = 16 << 20
  package static let maximumDepth = 64
  /// Each value takes about a hundred bytes of memory, but may be a single byte in the file.
  package static let maximumValues = 2_000_000

  private let bytes: [UInt8]
  private let file: String
  private let scope: Scope
  private var position = 0
  private var line: Int
  /// The position up to which the scalars of the current line have been counted, and their number,
  /// so that a file of one long line is counted once, not once for each value.
  private var countedPosition = 0
  private var countedScalars = 0
  private var depth = 0
  private var valueCount = 0

  /// - Parameters:
  ///   - bytes: the file's contents, UTF-8 with or without a byte-order mark.
  ///   - file: the file name used in locations.
  /// - Throws: `MAP-001` for a text that is not JSON, with the location of the first mistake.
  package static func parse(_ bytes: [UInt8], file: String) throws(Diagnostic) -> JSONNode {
    var parser = JSONParser(bytes: bytes, file: file, line: 1, scope: .file)
    return try parser.document()
  }

  init(bytes: [UInt8], file: String, line: Int, scope: Scope) {
    self.bytes = bytes
    self.file = file
    self.line = line
    self.scope = scope
  }

  mutating func document() throws(Diagnostic) -> JSONNode {
    guard bytes.count <= scope.maximumBytes else {
      throw failure("the \(scope.name) is larger than \(scope.maximumBytes) bytes")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw failure("the \(scope.name) is not valid UTF-8")
    }
    if scope.allowsMark, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      position = 3
      countedPosition = 3
    }
    skipSpace()
    guard position < bytes.count else { throw failure("the \(scope.name) is empty") }
    let node = try value()
    skipSpace()
    guard position == bytes.count else { throw failure("there is text after the end of the value") }
    return node
  }

  private mutating func value() throws(Diagnostic) -> JSONNode {
    let start = location
    valueCount += 1
    guard valueCount <= scope.maximumValues else {
      throw failure("the \(scope.name) contains more than \(scope.maximumValues) values")
    }
    switch peek {
    case UInt8(ascii: "{"): return JSONNode(.object(try members()), at: start)
    case UInt8(ascii: "["): return JSONNode(.array(try elements()), at: start)
    case UInt8(ascii: "\""): return JSONNode(.string(try string()), at: start)
    case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte):
      return JSONNode(.number(try number()), at: start)
    case UInt8(ascii: "t") where take("true"): return JSONNode(.bool(true), at: start)
    case UInt8(ascii: "f") where take("false"): return JSONNode(.bool(false), at: start)
    case UInt8(ascii: "n") where take("null"): return JSONNode(.null, at: start)
    case nil: throw failure("the \(scope.name) ends where a value is expected")
    default: throw failure("a value is expected here")
    }
  }

  private mutating func members() throws(Diagnostic) -> [JSONNode.Member] {
    try enter()
    defer { depth -= 1 }
    var members: [JSONNode.Member] = []
    var names: Set<String> = []
    var forms: Set<ExactText> = []
    skipSpace()
    if skip("}") { return members }
    while true {
      skipSpace()
      let nameLocation = location
      guard peek == UInt8(ascii: "\"") else { throw failure("a member's name is expected here") }
      let name = try string()
      let isNew =
        scope.tellsFormsApart
        ? forms.insert(ExactText(name)).inserted : names.insert(name).inserted
      guard scope.allowsRepetition || isNew else {
        throw failure("the member “\(name)” occurs twice", at: nameLocation)
      }
      skipSpace()
      guard skip(":") else {
        // Text of a line is a value of an app, and does not belong in messages.
        let what = scope.allowsRepetition ? "the name of a member" : "“\(name)”"
        throw failure("a colon is expected after \(what)")
      }
      skipSpace()
      members.append(.init(name: name, nameLocation: nameLocation, value: try value()))
      skipSpace()
      if skip("}") { return members }
      guard skip(",") else { throw failure("a comma or a closing brace is expected here") }
    }
  }

  private mutating func elements() throws(Diagnostic) -> [JSONNode] {
    try enter()
    defer { depth -= 1 }
    var elements: [JSONNode] = []
    skipSpace()
    if skip("]") { return elements }
    while true {
      skipSpace()
      elements.append(try value())
      skipSpace()
      if skip("]") { return elements }
      guard skip(",") else { throw failure("a comma or a closing bracket is expected here") }
    }
  }

  private mutating func enter() throws(Diagnostic) {
    position += 1
    depth += 1
    guard depth <= Self.maximumDepth else {
      throw failure("values are nested more than \(Self.maximumDepth) levels deep")
    }
  }

  private mutating func string() throws(Diagnostic) -> String {
    let start = location
    position += 1
    var text: [UInt8] = []
    while let byte = peek {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        try escape(into: &text)
      case 0x0A, 0x0D:
        throw failure("the string that begins here has no closing quotation mark", at: start)
      case 0..<0x20:
        position -= 1
        throw failure("a control character is in a string; write it as an escape")
      default:
        text.append(byte)
      }
    }
    throw failure("the string that begins here has no closing quotation mark", at: start)
  }

  private mutating func escape(into text: inout [UInt8]) throws(Diagnostic) {
    let letter = peek
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter ?? 0)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      var scalar = UInt32(try codeUnit())
      if (0xD800..<0xDC00).contains(scalar), take("\\u") {
        let low = UInt32(try codeUnit())
        guard (0xDC00..<0xE000).contains(low) else { throw failure("half a surrogate pair") }
        scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(scalar) else { throw failure("half a surrogate pair") }
      text += Array(String(scalar).utf8)
    default:
      position -= 1
      throw failure("JSON has no such escape")
    }
  }

  private mutating func codeUnit() throws(Diagnostic) -> UInt16 {
    guard position + 4 <= bytes.count,
      let digits = String(validating: bytes[position..<position + 4], as: UTF8.self),
      digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(digits, radix: 16)
    else { throw failure("four hexadecimal digits are expected here") }
    position += 4
    return unit
  }

  private mutating func number() throws(Diagnostic) -> String {
    let start = position
    _ = skip("-")
    if skip("0") {
      if let byte = peek, Self.isDigit(byte) {
        throw failure("a number cannot begin with a zero")
      }
    } else {
      guard digits() else { throw failure("a digit is expected here") }
    }
    if skip("."), !digits() { throw failure("a digit is expected after the point") }
    if skip("e") || skip("E") {
      _ = skip("+") || skip("-")
      guard digits() else { throw failure("a digit is expected in the exponent") }
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits() -> Bool {
    let start = position
    while let byte = peek, Self.isDigit(byte) { position += 1 }
    return position > start
  }

  // MARK: Bytes

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func take(_ word: String) -> Bool {
    guard bytes[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\n"):
        position += 1
        line += 1
        countedPosition = position
        countedScalars = 0
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        position += 1
      default:
        return
      }
    }
  }

  private var location: SourceLocation {
    mutating get {
      countedScalars += bytes[countedPosition..<position].count { $0 & 0xC0 != 0x80 }
      countedPosition = position
      return SourceLocation(file: file, line: line, column: countedScalars + 1)
    }
  }

  private mutating func failure(_ message: String, at place: SourceLocation? = nil) -> Diagnostic {
    Diagnostic(scope.code, "not valid JSON: \(message)", at: place ?? location)
  }
}
