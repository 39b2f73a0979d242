internal import PassageDiagnostics
internal import PassageStores

/// Reads a text byte by byte and tracks the place.
struct TextCursor {
  private let path: String
  private let lineEnd: UInt8
  private let recordBytes: Int
  private let next: () throws -> [UInt8]?
  private var piece: [UInt8] = []
  private var index = 0
  /// The number of bytes of the record in earlier pieces.
  private var bytesBefore = 0

  /// The place of the next byte.
  private(set) var place = TextPlace()
  /// The place where the record begins.
  private var recordPlace = TextPlace()
  /// The quote in which a record may have line endings; `nil` if there is none.
  var quote: UInt8?
  /// The place of the opening quote of the current field, if it is quoted.
  var openQuote: TextPlace?

  init(
    path: String, lineEnd: UInt8, recordBytes: Int, next: @escaping () throws -> [UInt8]?
  ) {
    self.path = path
    self.lineEnd = lineEnd
    self.recordBytes = recordBytes
    self.next = next
  }

  /// The next byte; `nil` at the end.
  mutating func peek() throws -> UInt8? {
    if index < piece.count { return piece[index] }
    while let more = try next() {
      bytesBefore += piece.count
      guard bytesBefore <= recordBytes else { throw try tooLong(more) }
      (piece, index) = (more, 0)
      if !more.isEmpty { return more[0] }
    }
    (piece, index) = ([], 0)
    return nil
  }

  /// Skips the byte that ``peek()`` returned.
  mutating func skip() {
    place.advance(over: piece[index], lineEnd: lineEnd)
    index += 1
  }

  /// Marks the beginning of a record, whose length is limited.
  mutating func beginRecord() {
    bytesBefore = -index
    recordPlace = place
  }

  /// - Parameter rest: the next piece of the record.
  private func tooLong(_ rest: [UInt8]) throws -> MemoryExceeded {
    let size = try recordSize(rest)
    let wanted = MemorySize.text(RecordLimit.memoryBytes(forRecordOf: size ?? recordBytes))
    let allowed = MemorySize.text(RecordLimit.memoryBytes(forRecordOf: recordBytes))
    let more = "allow more memory with --memory \(wanted)"
    let quoteMistake =
      openQuote == nil ? "" : "a quote opens here\(size == nil ? " and is not closed" : ""); "
    return MemoryExceeded(
      Diagnostic(
        "ATM-051", "a record is larger than \(recordBytes) bytes",
        at: (openQuote ?? recordPlace).location(in: path),
        reason: quoteMistake + (size.map { "the record has \($0) bytes; " } ?? "")
          + "it is loaded as a whole, and may use an eighth of \(allowed)",
        remedy: size == nil
          ? "close the quote"
          : openQuote == nil
            ? "\(more), or write each record on a line of its own"
            : "\(more), or close the quote where the field ends"))
  }

  /// The size in bytes of the record, which ends with its line; `nil` if its quote is not closed.
  ///
  /// - Complexity: O(n) in the bytes, which are read and not kept.
  private func recordSize(_ rest: [UInt8]) throws -> Int? {
    var isQuoted = openQuote != nil
    var count = bytesBefore
    var piece: [UInt8]? = rest
    while let bytes = piece {
      for (index, byte) in bytes.enumerated() {
        // A quote that is written twice is none.
        if byte == quote { isQuoted.toggle() }
        if byte == lineEnd, !isQuoted { return count + index + 1 }
      }
      count += bytes.count
      piece = try next()
    }
    return isQuoted ? nil : count
  }
}
