/// An entry of whole numbers alone: its words compare without a sign, the first above all. The last
/// is the row's key.
protocol WordEntry: BitwiseCopyable {
  associatedtype Word: SortingWord
  /// The number of words.
  static var wordCount: Int { get }
  static func isBefore(_ one: Self, _ other: Self) -> Bool
  subscript(word: Int) -> Word { get }
}

/// An entry of an index over one column.
struct WordPair<Word: SortingWord>: WordEntry {
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
struct WordTriple<Word: SortingWord>: WordEntry {
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

/// What an integer becomes so that it compares without a sign. 0 stands for NULL.
protocol SortingWord: FixedWidthInteger, UnsignedInteger, BitwiseCopyable {
  /// - Returns: `nil` for an integer without a word.
  static func word(ofInteger value: Int64) -> Self?
  static func integer(of word: Self) -> Int64
  /// - Returns: `nil` for a key without a word.
  static func word(ofRow key: Int64) -> Self?
  static func row(of word: Self) -> Int64
}

/// For every integer but the largest, and for every key.
extension UInt64: SortingWord {
  @inline(__always)
  static func word(ofInteger value: Int64) -> UInt64? {
    value < .max ? (UInt64(bitPattern: value) ^ SortWord.sign) + 1 : nil
  }

  @inline(__always)
  static func integer(of word: UInt64) -> Int64 {
    Int64(bitPattern: (word &- 1) ^ SortWord.sign)
  }

  @inline(__always)
  static func word(ofRow key: Int64) -> UInt64? { SortWord.word(ofRow: key) }

  @inline(__always)
  static func row(of word: UInt64) -> Int64 { SortWord.row(of: word) }
}

/// For what nearly all keys are: numbers from 0 to 4,294,967,294.
extension UInt32: SortingWord {
  @inline(__always)
  static func word(ofInteger value: Int64) -> UInt32? {
    UInt64(bitPattern: value) < UInt64(UInt32.max) ? UInt32(truncatingIfNeeded: value) + 1 : nil
  }

  @inline(__always)
  static func integer(of word: UInt32) -> Int64 { Int64(word) - 1 }

  @inline(__always)
  static func word(ofRow key: Int64) -> UInt32? { word(ofInteger: key) }

  @inline(__always)
  static func row(of word: UInt32) -> Int64 { integer(of: word) }
}

/// How an integer or NULL becomes a word, in either order.
enum SortWord {
  fileprivate static let sign: UInt64 = 1 << 63

  /// NULL is below every integer.
  ///
  /// - Parameter inversion: all ones to turn the order round, else 0.
  /// - Returns: `nil` when the value is something else, or has no word.
  @inline(__always)
  static func word<Word: SortingWord>(of cell: CellImage, inversion: Word) -> Word? {
    if cell.type == SerialType.null { return inversion }
    guard let value = cell.integerValue else { return nil }
    return word(ofInteger: value, inversion: inversion)
  }

  /// - Returns: `nil` for an integer without a word.
  @inline(__always)
  static func word<Word: SortingWord>(ofInteger value: Int64, inversion: Word) -> Word? {
    guard let word = Word.word(ofInteger: value) else { return nil }
    return word ^ inversion
  }

  @inline(__always)
  static func image<Word: SortingWord>(of word: Word, inversion: Word) -> CellImage {
    let plain = word ^ inversion
    return plain == 0 ? .null : .integer(Word.integer(of: plain))
  }

  @inline(__always)
  static func word(ofRow key: Int64) -> UInt64 { UInt64(bitPattern: key) ^ sign }

  @inline(__always)
  static func row(of word: UInt64) -> Int64 { Int64(bitPattern: word ^ sign) }
}
