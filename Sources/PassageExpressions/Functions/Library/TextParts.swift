import PassageDiagnostics
import PassageValues

/// Splits and joins texts by code units: `é` as one scalar and `é` as two are different texts.
enum TextParts {
  /// The largest result in bytes.
  static let maximumBytes = 64 << 20

  static var tooLarge: Diagnostic {
    Diagnostic(
      FunctionCode.tooLarge, "a text would become longer than \(maximumBytes) bytes",
      remedy: "filter such objects out, or compute the value in a policy")
  }

  /// The largest total size in bytes of texts that are in memory until they become parts of others.
  static let maximumWaitingBytes = 4 * maximumBytes

  static var tooLargeTogether: Diagnostic {
    Diagnostic(
      FunctionCode.tooLarge, "texts would take more than \(maximumWaitingBytes) bytes together",
      remedy: "filter such objects out, or compute the value in a policy")
  }

  private static func empty(_ what: String) -> Diagnostic {
    Diagnostic(FunctionCode.badArgument, "the \(what) is empty")
  }

  /// Checks the second argument of `split`, if it is constant.
  static func checkSeparator(_ arguments: [Value?]) throws {
    if arguments.dropFirst().first??.string == "" { throw empty("separator") }
  }

  /// Checks the second argument of `replace`, if it is constant.
  static func checkReplaced(_ arguments: [Value?]) throws {
    if arguments.dropFirst().first??.string == "" { throw empty("text to be replaced") }
  }

  /// The part at an index from 0, or from -1 backwards from the end; NULL if it does not exist.
  static func part(of text: String, separator: String, index: Int64) throws -> Value {
    guard !separator.isEmpty else { throw empty("separator") }
    let bytes = Array(text.utf8)
    let cuts = occurrences(of: Array(separator.utf8), in: bytes)
    let count = Int64(cuts.count + 1)
    let (fromStart, overflow) = index < 0 ? index.addingReportingOverflow(count) : (index, false)
    guard !overflow, (0..<count).contains(fromStart) else { return .null }
    let position = Int(fromStart)
    let start = position == 0 ? 0 : cuts[position - 1] + separator.utf8.count
    let end = position == cuts.count ? bytes.count : cuts[position]
    return .text(String(decoding: bytes[start..<end], as: UTF8.self))
  }

  /// Passes the parts between separators, without those that are empty, until `body` returns
  /// `false`.
  static func forEachPart(
    of text: String, separator: String, _ body: (Value) throws -> Bool
  ) throws {
    guard !separator.isEmpty else { throw empty("separator") }
    let bytes = Array(text.utf8)
    var start = 0
    for cut in occurrences(of: Array(separator.utf8), in: bytes) + [bytes.count] {
      if cut > start,
        try !body(.text(String(decoding: bytes[start..<cut], as: UTF8.self)))
      {
        return
      }
      start = cut + separator.utf8.count
    }
  }

  static func joined(_ parts: [String], separator: String) throws -> Value {
    var bytes = 0
    for part in parts { bytes += part.utf8.count + separator.utf8.count }
    guard bytes <= maximumBytes else { throw tooLarge }
    return .text(parts.joined(separator: separator))
  }

  static func trimmed(_ text: String, _ isTrimmed: (Unicode.Scalar) -> Bool) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isTrimmed($0) }),
      let last = scalars.lastIndex(where: { !isTrimmed($0) })
    else { return "" }
    return String(scalars[first...last])
  }

  static func replacing(_ part: String, in text: String, with other: String) throws -> Value {
    guard !part.isEmpty else { throw empty("text to be replaced") }
    let bytes = Array(text.utf8)
    let places = occurrences(of: Array(part.utf8), in: bytes)
    let (added, overflow) = places.count.multipliedReportingOverflow(by: other.utf8.count)
    guard !overflow, added <= maximumBytes, bytes.count <= maximumBytes - added else {
      throw tooLarge
    }
    let replacement = Array(other.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + added)
    var end = 0
    for place in places {
      result += bytes[end..<place]
      result += replacement
      end = place + part.utf8.count
    }
    result += bytes[end...]
    return .text(String(decoding: result, as: UTF8.self))
  }

  /// The substring in UTF-16 code units, as `length:` counts. A surrogate pair that a bound would
  /// split is left out. A negative position is 0; beyond the end, the text is empty.
  static func substring(_ text: String, from: Int64, length: Int64) -> String {
    let units = Array(text.utf16)
    var start = Int(min(max(0, from), Int64(units.count)))
    let rest = Int64(units.count - start)
    var end = start + Int(min(max(0, length), rest))
    if start < end, UTF16.isTrailSurrogate(units[start]) { start += 1 }
    if start < end, UTF16.isLeadSurrogate(units[end - 1]) { end -= 1 }
    return String(decoding: units[start..<end], as: UTF16.self)
  }

  /// The positions of a part, from left to right and without overlap, by the algorithm of Knuth,
  /// Morris and Pratt.
  ///
  /// - Complexity: O(n + m).
  private static func occurrences(of part: [UInt8], in text: [UInt8]) -> [Int] {
    guard !part.isEmpty, text.count >= part.count else { return [] }
    var links = [Int](repeating: 0, count: part.count)
    var length = 0
    for index in part.indices.dropFirst() {
      while length > 0, part[index] != part[length] { length = links[length - 1] }
      if part[index] == part[length] { length += 1 }
      links[index] = length
    }
    var places: [Int] = []
    length = 0
    for (index, byte) in text.enumerated() {
      while length > 0, byte != part[length] { length = links[length - 1] }
      if byte == part[length] { length += 1 }
      if length == part.count {
        places.append(index + 1 - length)
        length = 0
      }
    }
    return places
  }
}
