import PassageDiagnostics
import PassageValues

/// The texts of a collection in the order of their code units, and their form as one value: the
/// result of ``AggregateFunction/texts``, which an aggregate of SQL passes to a function.
struct TextList {
  private var texts: [String] = []
  private var bytes = 0
  private var mistake: Mistake?

  /// Why there is no list.
  private enum Mistake: UInt8 {
    case malformed = 1
    case tooLarge
  }

  /// Adds a text; nil and values of another type are left out.
  mutating func add(_ value: Value) {
    if case .malformedText = value { mistake = .malformed }
    guard mistake == nil, let text = value.string else { return }
    bytes += text.utf8.count + 8
    guard bytes <= TextParts.maximumBytes else {
      mistake = .tooLarge
      texts = []
      return
    }
    texts.append(text)
  }

  /// A byte that is 0, or says why there is no list; then each text after its length in eight bytes.
  var value: Value {
    if let mistake { return .blob([mistake.rawValue]) }
    var result: [UInt8] = [0]
    result.reserveCapacity(bytes + 1)
    for text in texts.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      let length = UInt64(text.utf8.count)
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        result.append(UInt8(truncatingIfNeeded: length >> shift))
      }
      result += text.utf8
    }
    return .blob(result)
  }

  /// The texts of a value.
  ///
  /// - Throws: `PRE-030` if one of them was not valid UTF-8, `PRE-041` if they were too large.
  static func texts(in bytes: [UInt8]) throws -> [String] {
    switch bytes.first.flatMap(Mistake.init) {
    case .malformed: throw TextFunctions.malformed
    case .tooLarge: throw TextParts.tooLarge
    case nil: break
    }
    var texts: [String] = []
    var rest = bytes.dropFirst()
    while rest.count >= 8 {
      let length = rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
      rest = rest.dropFirst(8)
      guard length <= UInt64(rest.count) else { break }
      texts.append(String(decoding: rest.prefix(Int(length)), as: UTF8.self))
      rest = rest.dropFirst(Int(length))
    }
    return texts
  }
}
