internal import PassageDiagnostics
internal import PassageFiles
internal import PassageStores

/// A text file that can be read piece by piece from its beginning, any number of times.
struct TextInput {
  let path: String
  /// The line ending by which lines are counted: CR in a file without LF.
  private(set) var lineEnd = UInt8(ascii: "\n")
  private let encoding: TextEncoding
  private let markBytes: Int
  private let pieces: () throws -> () throws -> [UInt8]
  /// The largest record in bytes.
  private let recordBytes: Int
  /// The largest number of values in a record, each of which takes more memory than its text.
  var maximumValues: Int { min(JSONParser.maximumValues, recordBytes / 16) }

  /// Checks a file's size and text; the file is parsed later.
  ///
  /// - Parameters:
  ///   - named: the encoding that the settings name.
  ///   - maximumBytes: the largest file.
  ///   - memoryBytes: the memory limit. The largest record is an eighth of it, because a record is
  ///     in memory several times.
  /// - Throws: `StoreError` for a file that cannot be read, `Diagnostics` with `ATM-001` for one
  ///   that is too large, and with each `ATM-002`.
  init(
    reading path: String, encoding named: TextEncoding?, maximumBytes: Int, memoryBytes: Int
  ) throws {
    try AtomicStore.File.check(path, maximumBytes: maximumBytes)
    let start = try Self.reading(path) { () throws(FileSystem.Failure) in
      try FileSystem.prefix(path, count: 3)
    }
    try self.init(
      path: path, start: start, encoding: named, recordBytes: memoryBytes / RecordLimit.share,
      pieces: {
        let reader = try Self.reading(path) { () throws(FileSystem.Failure) in try FileReader(path)
        }
        return { try Self.reading(path) { () throws(FileSystem.Failure) in try reader.next() } }
      })
  }

  /// Checks a text in memory.
  init(_ file: AtomicStore.File, encoding named: TextEncoding?) throws {
    let bytes = file.bytes
    try self.init(
      path: file.path, start: Array(bytes.prefix(3)), encoding: named, recordBytes: .max,
      pieces: {
        var position = 0
        return {
          let end = min(bytes.count, position + FileReader.pieceBytes)
          defer { position = end }
          return Array(bytes[position..<end])
        }
      })
  }

  private init(
    path: String, start: [UInt8], encoding named: TextEncoding?, recordBytes: Int,
    pieces: @escaping () throws -> () throws -> [UInt8]
  ) throws {
    self.path = path
    self.pieces = pieces
    self.recordBytes = recordBytes
    let marked = TextEncoding.marked(start)
    encoding = named ?? marked ?? .utf8
    markBytes = marked == encoding ? encoding.mark.count : 0
    var hasLineFeed = false
    var isText = true
    let next = try texts()
    while let (text, mistakes) = try next() {
      hasLineFeed = hasLineFeed || text.contains(UInt8(ascii: "\n"))
      isText = isText && mistakes.isEmpty
    }
    if !hasLineFeed { lineEnd = UInt8(ascii: "\r") }
    if !isText { throw try badPlaces() }
  }

  private static func reading<Result>(
    _ path: String, _ body: () throws(FileSystem.Failure) -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// The file's text in UTF-8, piece by piece; `nil` at the end.
  private func texts() throws -> () throws -> (text: [UInt8], mistakes: [Int])? {
    let next = try pieces()
    var decoder = TextDecoder(encoding)
    var isFirst = true
    var isAtEnd = false
    return {
      if isAtEnd { return nil }
      var piece = try next()
      isAtEnd = piece.isEmpty
      if isFirst { piece.removeFirst(min(piece.count, markBytes)) }
      isFirst = false
      return decoder.decode(piece, isLast: isAtEnd)
    }
  }

  /// The places of bytes that are invalid in the encoding.
  private func badPlaces() throws -> Diagnostics {
    var found = MistakeList()
    var place = TextPlace()
    let next = try texts()
    let isUTF8 = encoding == .utf8
    // A file of another kind may consist of mistakes, so only the first are listed.
    while !isUTF8 || found.count <= MistakeList.maximumListed, let (text, mistakes) = try next() {
      var counted = 0
      for mistake in mistakes where !isUTF8 || found.count <= MistakeList.maximumListed {
        place.advance(over: text[counted..<mistake], lineEnd: lineEnd)
        counted = mistake
        found.append(
          Diagnostic(
            "ATM-002", "the bytes here are not valid text", at: place.location(in: path),
            reason: "the file is read as \(isUTF8 ? "UTF-8" : "UTF-16")",
            remedy: "name the encoding in the settings beside the file, or correct the bytes"))
      }
      place.advance(over: text[counted...], lineEnd: lineEnd)
    }
    return found.diagnostics(path: path)
  }

  /// A cursor at the beginning of the text.
  func cursor() throws -> TextCursor {
    let next = try texts()
    return TextCursor(
      path: path, lineEnd: lineEnd, recordBytes: recordBytes, next: { try next()?.text })
  }
}

/// A place in a text, counted from 1.
struct TextPlace: CustomStringConvertible {
  private(set) var line = 1
  private(set) var column = 1

  mutating func advance(over byte: UInt8, lineEnd: UInt8) {
    if byte == lineEnd {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {
      column += 1
    }
  }

  mutating func advance(over bytes: ArraySlice<UInt8>, lineEnd: UInt8) {
    for byte in bytes { advance(over: byte, lineEnd: lineEnd) }
  }

  func location(in path: String) -> SourceLocation {
    SourceLocation(file: path, line: line, column: column)
  }

  /// `12:3`.
  var description: String { "\(line):\(column)" }
}
