internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageModels
internal import PassagePlatform
internal import PassageStores
internal import PassageValues

extension PlainValue {
  /// The value of a JSON text. Whole numbers that fit into 64 bits are integers.
  ///
  /// - Returns: `nil` for a number that is too large.
  init?(_ node: JSONNode) {
    switch node.kind {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .string(let text): self = .string(text)
    case .number(let text):
      if let integer = Int64(text) {
        self = .integer(integer)
      } else if let real = Double(text), real.isFinite {
        self = .real(real)
      } else {
        return nil
      }
    case .array(let elements):
      let values = elements.compactMap { PlainValue($0) }
      guard values.count == elements.count else { return nil }
      self = .list(values)
    case .object(let members):
      let values = members.compactMap { member in
        PlainValue(member.value).map { Member(member.name, $0) }
      }
      guard values.count == members.count else { return nil }
      self = .dictionary(values)
    }
  }

  /// The number of bytes of ``json`` as text, without the marks between its parts.
  ///
  /// - Complexity: O(n) in the values, each as often as it is referred to.
  var jsonBytes: Int64 {
    switch self {
    case .null, .bool, .integer, .real, .date: 1
    case .string(let text): Self.jsonBytes(of: text)
    case .data(let bytes): Int64(bytes.count / 3 * 4)
    case .list(let elements): elements.reduce(1) { $0.saturatingAdd($1.jsonBytes) }
    case .dictionary(let members):
      members.reduce(1) {
        $0.saturatingAdd(Self.jsonBytes(of: $1.key).saturatingAdd($1.value.jsonBytes))
      }
    }
  }

  private static func jsonBytes(of text: String) -> Int64 {
    // A control character takes six bytes.
    text.utf8.reduce(2) { $0 + ($1 < 0x20 ? 6 : $1 == 0x22 || $1 == 0x5C ? 2 : 1) }
  }

  /// The value as JSON: a date as text in ISO 8601, data in Base64; `nil` if it contains a number or a
  /// date that JSON cannot express.
  var json: JSONText? {
    switch self {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .integer(let number): return .number(String(number))
    case .real(let number): return number.isFinite ? .number(String(number)) : nil
    case .date(let seconds): return ISO8601.text(seconds).map { .string($0) }
    case .string(let text): return .string(text)
    case .data(let bytes): return .string(Data(bytes).base64EncodedString())
    case .list(let elements):
      let texts = elements.compactMap(\.json)
      return texts.count == elements.count ? .shortList(texts) : nil
    case .dictionary(let members):
      let texts = members.compactMap { member in
        member.value.json.map { (name: member.key, value: $0) }
      }
      return texts.count == members.count ? .shortObject(texts) : nil
    }
  }
}
