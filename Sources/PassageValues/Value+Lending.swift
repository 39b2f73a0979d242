extension Value {
  /// Lends the value as a cell, which is valid only during the call.
  package func withRawCell<Result>(_ body: (RawCell) throws -> Result) rethrows -> Result {
    switch self {
    case .null: try body(.null)
    case .integer(let number): try body(.integer(number))
    case .real(let number): try body(.real(number))
    case .text(var text):
      try text.withUTF8 { try body(.text(UnsafeRawBufferPointer($0))) }
    case .malformedText(let bytes): try bytes.withUnsafeBytes { try body(.text($0)) }
    case .blob(let bytes): try bytes.withUnsafeBytes { try body(.blob($0)) }
    }
  }
}
