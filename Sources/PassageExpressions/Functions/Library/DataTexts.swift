import PassageDiagnostics
import PassagePlatform
import PassageValues

/// Converts bytes to text and back.
enum DataTexts {
  /// How bytes are written as text.
  enum Encoding: String, CaseIterable {
    /// The bytes are those of a text in UTF-8.
    case utf8 = "utf-8"
    /// Two hexadecimal digits for each byte; lower case is written, both are read.
    case hexadecimal = "hex"
    /// RFC 4648, section 4, with padding.
    case base64

    /// - Throws: `PRE-044` for another name.
    init(named name: String) throws {
      guard let encoding = Self(rawValue: name.lowercased()) else {
        throw Diagnostic(
          FunctionCode.badArgument, "there is no encoding “\(name.prefix(100))”",
          remedy: "use one of: \(Self.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      self = encoding
    }
  }

  /// Checks the second argument, if it is constant.
  static func check(_ arguments: [Value?]) throws {
    if let name = arguments.dropFirst().first??.string { _ = try Encoding(named: name) }
  }

  static func text(_ bytes: [UInt8], _ encoding: Encoding) throws -> String {
    guard bytes.count <= TextParts.maximumBytes / 2 else { throw TextParts.tooLarge }
    switch encoding {
    case .utf8:
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw unreadable("data is not a text in UTF-8", "textFromDataOrNull")
      }
      return text
    case .hexadecimal: return hexadecimal(bytes)
    case .base64: return Data(bytes).base64EncodedString()
    }
  }

  static func data(_ text: String, _ encoding: Encoding) throws -> [UInt8] {
    switch encoding {
    case .utf8: return Array(text.utf8)
    case .hexadecimal:
      guard let bytes = bytes(hexadecimal: text) else {
        throw unreadable(
          "a text is not an even number of hexadecimal digits", "dataFromTextOrNull")
      }
      return bytes
    case .base64:
      guard let data = Data(base64Encoded: text) else {
        throw unreadable("a text is not Base64", "dataFromTextOrNull")
      }
      return Array(data)
    }
  }

  private static func unreadable(_ message: String, _ lenient: String) -> Diagnostic {
    Diagnostic(
      FunctionCode.unreadable, message,
      remedy: "call \(lenient), which returns nil, or filter such objects out")
  }

  /// Two lower-case digits for each byte.
  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func bytes(hexadecimal text: String) -> [UInt8]? {
    let digits = text.utf8.map(digit)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case 0x30...0x39: character - 0x30
    case 0x41...0x46: character - 0x37
    case 0x61...0x66: character - 0x57
    default: nil
    }
  }
}
