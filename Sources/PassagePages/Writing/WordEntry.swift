/// An entry of whole numbers alone: its words compare without a sign, the first above all. The last
/// is the row's key.
protocol WordEntry: BitwiseCopyable {
  /// The number of words.
  static var wordCount: Int { get }
  static func isBefore(_ one: Self, _ other: Self) -> Bool
  subscript(word: Int) -> UInt64 { get }
}

/// An entry of an index over one column.
struct WordPair: WordEntry {
  static var wordCount: Int { 2 }
  var value: UInt64
  var row: UInt64

  @inline(__always)
  static func isBefore(_ one: WordPair, _ other: WordPair) -> Bool {
    one.value != other.value ? one.value < other.value : one.row < other.row
  }

  @inline(__always)
  subscript(word: Int) -> UInt64 { word == 0 ? value : row }
}

/// An entry of an index over two columns.
struct WordTriple: WordEntry {
  static var wordCount: Int { 3 }
  var first: UInt64
  var second: UInt64
  var row: UInt64

  @inline(__always)
  static func isBefore(_ one: WordTriple, _ other: WordTriple) -> Bool {
    if one.first != other.first { return one.first < other.first }
    return one.second != other.second ? one.second < other.second : one.row < other.row
  }

  @inline(__always)
  subscript(word: Int) -> UInt64 { word == 0 ? first : word == 1 ? second : row }
}

/// How an integer or NULL becomes a word that compares without a sign.
enum SortWord {
  private static let sign: UInt64 = 1 << 63

  /// NULL is below every integer; there is no word left for the largest of them.
  ///
  /// - Parameter inversion: all ones to turn the order round, else 0.
  /// - Returns: `nil` when the value is something else.
  @inline(__always)
  static func word(of cell: CellImage, inversion: UInt64) -> UInt64? {
    if cell.type == SerialType.null { return inversion }
    guard let value = cell.integerValue else { return nil }
    return word(ofInteger: value, inversion: inversion)
  }

  /// - Returns: `nil` for the integer without a word.
  @inline(__always)
  static func word(ofInteger value: Int64, inversion: UInt64) -> UInt64? {
    value < .max ? ((UInt64(bitPattern: value) ^ sign) + 1) ^ inversion : nil
  }

  @inline(__always)
  static func image(of word: UInt64, inversion: UInt64) -> CellImage {
    let plain = word ^ inversion
    return plain == 0 ? .null : .integer(integer(of: plain))
  }

  /// - Parameter plain: a word that is neither turned round nor NULL's.
  @inline(__always)
  static func integer(of plain: UInt64) -> Int64 { Int64(bitPattern: (plain &- 1) ^ sign) }

  @inline(__always)
  static func word(ofRow key: Int64) -> UInt64 { UInt64(bitPattern: key) ^ sign }

  @inline(__always)
  static func row(of word: UInt64) -> Int64 { Int64(bitPattern: word ^ sign) }
}
