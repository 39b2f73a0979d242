internal import PassageDiagnostics
internal import PassageStores

/// Walks over a text byte by byte and knows where it is.
struct TextCursor {
  private let path: String
  private let lineEnd: UInt8
  private let recordBytes: Int
  private let next: () throws -> [UInt8]?
  private var piece: [UInt8] = []
  private var index = 0
  /// The bytes of the pieces before this one since the record began.
  private var bytesBefore = 0

  /// Where the next byte stands.
  private(set) var place = TextPlace()
  /// Where the record begins.
  private var recordPlace = TextPlace()
  /// Where the quote is that is open here.
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

  /// Steps over the byte that ``peek()`` gave.
  mutating func skip() {
    place.advance(over: piece[index], lineEnd: lineEnd)
    index += 1
  }

  /// Says that a record begins here: each is bounded by itself.
  mutating func beginRecord() {
    bytesBefore = -index
    recordPlace = place
  }

  private func tooLong() -> MemoryExceeded {
    // The next larger amount that is a round number.
    let (wanted, overflow) = recordBytes.multipliedReportingOverflow(by: 32)
    return MemoryExceeded(
      Diagnostic(
        "ATM-051", "a record is longer than \(recordBytes) bytes",
        at: (openQuote ?? recordPlace).location(in: path),
        reason: (openQuote == nil ? "" : "a quote opens here and is not closed; ")
          + "a record is held in memory as a whole, and may take an eighth of "
          + "\(MemorySize.text(overflow ? .max : recordBytes * 8))",
        remedy: (openQuote == nil ? "end the record" : "close the quote")
          + ", or allow more memory with "
          + "--memory \(MemorySize.text(overflow ? .max : wanted))"))
  }
}
