internal import Foundation

extension MarkupReader {
  private static let encodings: Set<String> = ["utf-8", "utf8"]
  /// The encodings that a file in UTF-8 may declare, and be read as the same characters, if these are in ASCII.
  private static let encodingsOfASCII: Set<String> = [
    "us-ascii", "ascii", "iso-8859-1", "windows-1252",
  ]

  /// Why a file is refused: Foundation's parser would trap on it, or it contains something that no
  /// file read here has; `nil` if it is accepted.
  ///
  /// The parser traps on a processing instruction without data. An entity could hide one, and so
  /// could an encoding that differs from the declared one. Entities, and attributes that a document type
  /// gives to every element, would also make a small file large.
  ///
  /// - Complexity: O(n) in the bytes.
  static func refusal(_ bytes: [UInt8]) -> String? {
    var position = 0
    lazy var isASCII = bytes.allSatisfy { $0 < 0x80 }
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = start + 1
      let rest = bytes[position...]
      if rest.starts(with: "!DOCTYPE".utf8), hasDeclarations(rest) {
        return "its document type has declarations of its own"
      }
      guard rest.first == UInt8(ascii: "?") else { continue }
      let inside = rest.dropFirst().prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: ">") }
      let name = inside.prefix { !isSpace($0) }
      guard inside.contains(where: isSpace), !inside[name.endIndex...].allSatisfy(isSpace) else {
        return "a processing instruction is empty"
      }
      if name.elementsEqual("xml".utf8), let found = encoding(inside), !encodings.contains(found) {
        guard encodingsOfASCII.contains(found), isASCII else {
          return "it declares the encoding \(found)"
        }
      }
    }
    return nil
  }

  /// Whether a document type declaration has an internal subset: `[` outside quotation marks. One with
  /// `<` before its end counts as one that does.
  ///
  /// - Complexity: O(n) in the bytes until the next `<`.
  private static func hasDeclarations(_ documentType: ArraySlice<UInt8>) -> Bool {
    var quote: UInt8?
    for byte in documentType {
      switch byte {
      case UInt8(ascii: "<"): return true
      case UInt8(ascii: "["), UInt8(ascii: ">"):
        if quote == nil { return byte == UInt8(ascii: "[") }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if quote == nil { quote = byte } else if quote == byte { quote = nil }
      default: break
      }
    }
    return false
  }

  /// The line of the first element with more than ``maximumAttributes`` attributes; `nil` when there
  /// is none.
  ///
  /// Values are counted by their quotation marks. XML allows no `<` in a value, so each begins a new
  /// element; only in a section of characters it need not.
  ///
  /// - Complexity: O(n) in the bytes.
  static func lineOfCrowdedElement(_ bytes: [UInt8]) -> Int? {
    var line = 1
    var start = 1
    var count = 0
    var isInElement = false
    var quote: UInt8?
    var previous: UInt8 = 0
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: "<"):
        isInElement = true
        quote = nil
        count = 0
        start = line
      case UInt8(ascii: ">"):
        if quote == nil { isInElement = false }
      case UInt8(ascii: "!"), UInt8(ascii: "?"):
        // A comment, a declaration or an instruction.
        if previous == UInt8(ascii: "<") { isInElement = false }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if isInElement, quote == nil {
          quote = byte
          count += 1
          if count > maximumAttributes { return start }
        } else if quote == byte {
          quote = nil
        }
      default: break
      }
      previous = byte
    }
    return nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    [0x20, 0x09, 0x0A, 0x0D].contains(byte)
  }

  /// The encoding that the XML declaration names, in lower case.
  private static func encoding(_ declaration: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: declaration, as: UTF8.self).lowercased()
    guard let start = text.range(of: "encoding")?.upperBound else { return nil }
    let value = text[start...].drop { $0 != "\"" && $0 != "'" }
    return String(value.dropFirst().prefix { $0 != "\"" && $0 != "'" })
  }
}
