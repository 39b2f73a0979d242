internal import PassageModels
internal import PassagePlatform

extension AttributeText {
  /// Whether a text can be read as a type without loss.
  mutating func isValue(_ value: String, of type: AttributeType) -> Bool {
    switch type {
    // A leading zero or a plus sign would be lost, so such texts stay text.
    case .integer64: Int64(value).map { "\($0)" == value } ?? false
    case .double: Self.isNumber(value)
    case .boolean:
      value.hasBytes(of: style.trueText) || value.hasBytes(of: style.falseText)
        || ["true", "false"].contains(value.lowercased())
    // In another style dates look like numbers.
    case .date: style.dates == .iso && (try? date(value)) != nil
    case .uuid: (try? read(value, as: Attribute(name: "value", type: .uuid))) != nil
    default: false
    }
  }

  /// Whether a text is a number with at most 15 digits, as many as a double always keeps.
  private static func isNumber(_ value: String) -> Bool {
    var rest = Array(value.utf8)[...]
    func digits() -> Int {
      let digits = rest.prefix(while: DecimalText.isDigit)
      rest = rest.dropFirst(digits.count)
      return digits.count
    }
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let whole = digits()
    var fraction = 0
    guard whole == 1 || whole > 1 && !startsWithZero else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = digits()
      guard fraction > 0 else { return false }
    }
    if let first = rest.first, first | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
      guard digits() > 0 else { return false }
    }
    guard rest.isEmpty, whole + fraction <= 15, let number = Double(value) else { return false }
    // What is too large is not infinite, and what is too small is not zero.
    let mantissa = value.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    return number.isFinite
      && (!number.isZero || !mantissa.contains { UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0 })
  }
}
