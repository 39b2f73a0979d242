/// An entry of whole numbers alone: its words compare without a sign, the first above all. The last
/// is the row's key.
protocol WordEntry: BitwiseCopyable {
  associatedtype Word: SortWord
  /// The number of words.
  static var wordCount: Int { get }
  static func isBefore(_ one: Self, _ other: Self) -> Bool
  subscript(word: Int) -> Word { get }
}

/// An entry of an index over one column.
struct WordPair<Word: SortWord>: WordEntry {
  static var wordCount: Int { 2 }
  var value: Word
  var row: Word

  @inline(__always)
  static func isBefore(_ one: WordPair, _ other: WordPair) -> Bool {
    one.value != other.value ? one.value < other.value : one.row < other.row
  }

  @inline(__always)
  subscript(word: Int) -> Word { word == 0 ? value : row }
}

/// An entry of an index over two columns.
struct WordTriple<Word: SortWord>: WordEntry {
  static var wordCount: Int { 3 }
  var first: Word
  var second: Word
  var row: Word

  @inline(__always)
  static func isBefore(_ one: WordTriple, _ other: WordTriple) -> Bool {
    if one.first != other.first { return one.first < other.first }
    return one.second != other.second ? one.second < other.second : one.row < other.row
  }

  @inline(__always)
  subscript(word: Int) -> Word { word == 0 ? first : word == 1 ? second : row }
}

/// What an integer or a key becomes so that it compares without a sign. 0 stands for NULL.
protocol SortWord: FixedWidthInteger, UnsignedInteger, BitwiseCopyable {
  /// - Returns: `nil` for an integer without a word.
  init?(ofInteger value: Int64)
  static func integer(of word: Self) -> Int64
  /// - Returns: `nil` for a key without a word.
  init?(ofRow key: Int64)
  static func row(of word: Self) -> Int64
}

/// For every integer but the largest, and for every key.
extension UInt64: SortWord {
  private static let sign: UInt64 = 1 << 63

  @inline(__always)
  init?(ofInteger value: Int64) {
    guard value < .max else { return nil }
    self = (UInt64(bitPattern: value) ^ Self.sign) + 1
  }

  @inline(__always)
  static func integer(of word: UInt64) -> Int64 { Int64(bitPattern: (word &- 1) ^ sign) }

  @inline(__always)
  init(ofRow key: Int64) { self = UInt64(bitPattern: key) ^ Self.sign }

  @inline(__always)
  static func row(of word: UInt64) -> Int64 { Int64(bitPattern: word ^ sign) }
}

/// For what nearly all integers and keys are: from 0 to 4,294,967,294.
extension UInt32: SortWord {
  @inline(__always)
  init?(ofInteger value: Int64) {
    guard UInt64(bitPattern: value) < UInt64(UInt32.max) else { return nil }
    self = UInt32(truncatingIfNeeded: value) + 1
  }

  @inline(__always)
  static func integer(of word: UInt32) -> Int64 { Int64(word) - 1 }

  @inline(__always)
  init?(ofRow key: Int64) { self.init(ofInteger: key) }

  @inline(__always)
  static func row(of word: UInt32) -> Int64 { integer(of: word) }
}

// In either order. NULL is below every integer.
extension SortWord {
  /// - Parameter inversion: all ones to turn the order round, else 0.
  /// - Returns: `nil` when the value is something else, or has no word.
  @inline(__always)
  static func word(of cell: CellImage, inversion: Self) -> Self? {
    if cell.type == SerialType.null { return inversion }
    guard let value = cell.integerValue else { return nil }
    return Self(ofInteger: value, inversion: inversion)
  }

  /// - Returns: `nil` for an integer without a word.
  @inline(__always)
  init?(ofInteger value: Int64, inversion: Self) {
    guard let word = Self(ofInteger: value) else { return nil }
    self = word ^ inversion
  }

  @inline(__always)
  static func image(of word: Self, inversion: Self) -> CellImage {
    let plain = word ^ inversion
    return plain == 0 ? .null : .integer(integer(of: plain))
  }
}
