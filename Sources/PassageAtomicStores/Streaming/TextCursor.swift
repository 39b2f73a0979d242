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
      guard bytesBefore <= recordBytes else { throw tooLong() }
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

  private func tooLong() -> MemoryExceeded {
    // The next larger round amount.
    let (wanted, overflow) = recordBytes.multipliedReportingOverflow(by: 32)
    return MemoryExceeded(
      Diagnostic(
        "ATM-051", "a record is larger than \(recordBytes) bytes",
        at: (openQuote ?? recordPlace).location(in: path),
        reason: (openQuote == nil ? "" : "a quote opens here and is not closed; ")
          + "a record is loaded as a whole, and may use an eighth of "
          + "\(MemorySize.text(overflow ? .max : recordBytes * 8))",
        remedy: (openQuote == nil ? "end the record" : "close the quote")
          + ", or allow more memory with "
          + "--memory \(MemorySize.text(overflow ? .max : wanted))"))
  }
}
