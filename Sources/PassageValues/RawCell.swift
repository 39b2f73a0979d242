/// One cell of a row, not decoded: a text is its bytes. It refers to memory of the object that
/// returned it, and is valid only until the next row.
package enum RawCell {
  case null
  case integer(Int64)
  case real(Double)
  /// UTF-8, not validated.
  case text(UnsafeRawBufferPointer)
  case blob(UnsafeRawBufferPointer)

  /// The bytes the cell takes as text or blob; 0 for numbers and NULL.
  package var byteCount: Int {
    switch self {
    case .null, .integer, .real: 0
    case .text(let bytes), .blob(let bytes): bytes.count
    }
  }
}
