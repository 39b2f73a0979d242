import PassageDiagnostics
import PassageValues

/// Integers as hexadecimal text.
enum HexadecimalNumbers {
  /// Lower-case digits, with zeros in front up to a width; a negative number has a minus sign.
  static func text(_ number: Int64, digits: Int64) throws -> String {
    guard digits <= 1_000 else {
      throw Diagnostic(
        FunctionCode.badArgument, "a number cannot be written with \(digits) digits",
        remedy: "ask for at most 1000")
    }
    let text = String(number.magnitude, radix: 16)
    let zeros = String(repeating: "0", count: max(0, Int(max(0, digits)) - text.utf8.count))
    return (number < 0 ? "-" : "") + zeros + text
  }

  /// The number of a text with an optional sign and an optional `0x` or `#`.
  static func number(_ text: String) throws -> Int64 {
    var rest = text[...]
    let isNegative = rest.first == "-"
    if isNegative || rest.first == "+" { rest = rest.dropFirst() }
    if rest.hasPrefix("0x") || rest.hasPrefix("0X") {
      rest = rest.dropFirst(2)
    } else if rest.first == "#" {
      rest = rest.dropFirst()
    }
    guard let first = rest.first, first != "+", first != "-",
      let number = Int64((isNegative ? "-" : "") + rest, radix: 16)
    else {
      throw Diagnostic(
        FunctionCode.unreadable, "a text is not a hexadecimal number of 64 bits",
        remedy: "call integerFromHexadecimalOrNull, which returns nil, or filter such objects out")
    }
    return number
  }
}
