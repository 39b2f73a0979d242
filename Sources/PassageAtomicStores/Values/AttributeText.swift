internal import PassageModels
internal import PassagePlatform
internal import PassageStores
internal import PassageValues

/// Why a text is not a value of an attribute, or why a value cannot be written as text.
struct ValueMistake: Error {
  /// What was expected, as a noun phrase; when writing, what the value is.
  var text: String
  /// Whether the value can be written as a number of seconds.
  var isDateOfAnotherStyle = false
}

/// Converts values of attributes to text, and back.
struct AttributeText {
  let style: TextStyle
  /// The attributes with numbers that were rounded.
  private(set) var rounded: Set<String> = []

  init(_ style: TextStyle) { self.style = style }

  /// Whether a file of text can hold values of a type.
  static func canHold(_ type: AttributeType) -> Bool {
    ![.undefined, .transformable, .objectID, .composite].contains(type)
  }

  /// Whether the empty text is a value of a type.
  func canBeEmpty(_ type: AttributeType) -> Bool {
    switch type {
    case .string, .uri, .binary, .transformable: true
    case .boolean: style.trueText.isEmpty || style.falseText.isEmpty
    default: false
    }
  }

  // MARK: Reading

  /// The value for a text, in the form in which a store holds it.
  mutating func read(_ text: String, as attribute: Attribute) throws(ValueMistake) -> Value {
    switch attribute.type {
    case .integer16: return try integer(text, Int64(Int16.min)...Int64(Int16.max))
    case .integer32: return try integer(text, Int64(Int32.min)...Int64(Int32.max))
    case .integer64: return try integer(text, .min ... .max)
    case .boolean: return try boolean(text)
    case .double, .float: return .real(try floating(text, attribute))
    case .decimal: return try decimal(text, attribute)
    case .string, .uri: return .text(text)
    case .date: return .real(try date(text))
    case .uuid:
      guard let bytes = UUIDText.bytes(text) else { throw ValueMistake(text: "a UUID") }
      return .blob(bytes)
    case .binary, .transformable: return .blob(try bytes(text))
    case .objectID, .composite, .undefined:
      throw ValueMistake(text: "nothing: files of text have no \(attribute.type.name)")
    }
  }

  private func integer(
    _ text: String, _ range: ClosedRange<Int64>
  ) throws(ValueMistake) -> Value {
    guard let number = Int64(text), range.contains(number) else {
      throw ValueMistake(text: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return .integer(number)
  }

  private func boolean(_ text: String) throws(ValueMistake) -> Value {
    if text.hasBytes(of: style.trueText) { return 1 }
    if text.hasBytes(of: style.falseText) { return 0 }
    switch text.lowercased() {
    case "1", "true", "yes": return 1
    case "0", "false", "no": return 0
    default: throw ValueMistake(text: "\(style.trueText) or \(style.falseText)")
    }
  }

  /// A number in decimal digits, or an infinite one by its name. What is too small is not zero.
  private func number(_ text: String) throws(ValueMistake) -> Double {
    guard let number = Double(text), !number.isNaN,
      number.isFinite || !text.utf8.contains(where: DecimalText.isDigit),
      !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }),
      !number.isZero || Self.significantDigits(text).isEmpty
    else { throw ValueMistake(text: "a number that a store can hold") }
    return number
  }

  private mutating func floating(
    _ text: String, _ attribute: Attribute
  ) throws(ValueMistake) -> Double {
    let number = try number(text)
    // A fraction is near to what is written, as everywhere; a whole number is taken for exact.
    if text.utf8.count > 15,
      text.utf8.allSatisfy({ DecimalText.isDigit($0) || $0 == UInt8(ascii: "-") }),
      Self.significantDigits(text) != Self.significantDigits("\(number)")
    {
      rounded.insert(attribute.name)
    }
    return number
  }

  private mutating func decimal(
    _ text: String, _ attribute: Attribute
  ) throws(ValueMistake) -> Value {
    if let whole = Int64(text) { return .integer(whole) }
    let number = try number(text)
    if Self.significantDigits(text) != Self.significantDigits("\(number)") {
      rounded.insert(attribute.name)
    }
    return .real(number)
  }

  /// The digits of a number without sign, point, exponent, and leading and trailing zeros.
  private static func significantDigits(_ text: String) -> [UInt8] {
    let mantissa = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let digits = mantissa.filter(DecimalText.isDigit).drop { $0 == UInt8(ascii: "0") }
    return Array(digits.reversed().drop { $0 == UInt8(ascii: "0") }.reversed())
  }

  private func bytes(_ text: String) throws(ValueMistake) -> [UInt8] {
    switch style.binary {
    case .base64:
      guard let data = Data(base64Encoded: Data(Self.withoutSpace(text))) else {
        throw ValueMistake(text: "bytes in base64")
      }
      return Array(data)
    case .hex:
      let digits = text.utf8
      var bytes: [UInt8] = []
      bytes.reserveCapacity(digits.count / 2)
      var high: UInt8?
      for byte in digits {
        guard let digit = Self.digit(byte) else { throw Self.notHex }
        if let first = high { bytes.append(first << 4 | digit) }
        high = high == nil ? digit : nil
      }
      if high != nil { throw Self.notHex }
      return bytes
    }
  }

  private static let notHex = ValueMistake(text: "pairs of hexadecimal digits")

  /// The text in UTF-8 without white space, which is what Unicode calls so (`White_Space`): the space, tabulators
  /// and line endings of ASCII, and 19 characters beyond it.
  ///
  /// - Complexity: O(n) in the bytes. Going by characters takes some hundred times as long.
  private static func withoutSpace(_ text: String) -> [UInt8] {
    // Nearly every text has only ASCII.
    guard text.utf8.contains(where: { $0 >= 0x80 }) else {
      return text.utf8.filter { $0 != 0x20 && !(0x09...0x0D).contains($0) }
    }
    let scalars = String.UnicodeScalarView(
      text.unicodeScalars.lazy.filter { !$0.properties.isWhitespace })
    return Array(String(scalars).utf8)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  // MARK: Writing

  /// The text of a value that is not nil.
  func write(_ value: Value, of attribute: Attribute) throws(ValueMistake) -> String {
    switch (attribute.type, value) {
    case (.integer16, .integer(let number)) where Int16(exactly: number) != nil: return "\(number)"
    case (.integer32, .integer(let number)) where Int32(exactly: number) != nil: return "\(number)"
    case (.integer64, .integer(let number)): return "\(number)"
    case (.boolean, .integer(1)): return style.trueText
    case (.boolean, .integer(0)): return style.falseText
    case (.double, .real(let number)), (.float, .real(let number)), (.decimal, .real(let number)):
      return try text(of: number)
    case (.double, .integer(let number)), (.float, .integer(let number)),
      (.decimal, .integer(let number)):
      return "\(number)"
    case (.string, .text(let text)), (.uri, .text(let text)): return text
    case (.date, .integer(let number)):
      guard let exact = Double(exactly: number) else {
        throw ValueMistake(text: "a date beyond the calendar")
      }
      return try text(ofDate: exact)
    case (.date, .real(let number)): return try text(ofDate: number)
    case (.uuid, .blob(let bytes)):
      guard let text = UUIDText.text(bytes) else { throw ValueMistake(text: "not 16 bytes") }
      return text
    case (.binary, .blob(let bytes)), (.transformable, .blob(let bytes)):
      switch style.binary {
      case .base64: return Data(bytes).base64EncodedString()
      case .hex: return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      }
    case (_, .malformedText): throw ValueMistake(text: "text that is not UTF-8")
    default: throw ValueMistake(text: "no value of the type \(attribute.type.name)")
    }
  }

  private func text(of number: Double) throws(ValueMistake) -> String {
    if number.isNaN { throw ValueMistake(text: "not a number") }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    return "\(number)"
  }
}
