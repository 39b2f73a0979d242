/// One cell of a row, not decoded. It refers to memory of the object that returned it, and is valid
/// only until the next row.
package enum RawCell {
  case null
  case integer(Int64)
  case real(Double)
  /// The bytes of a text in UTF-8, not validated.
  case text(UnsafeRawBufferPointer)
  case blob(UnsafeRawBufferPointer)

  /// The size of a text or blob in bytes; 0 for numbers and NULL.
  package var byteCount: Int {
    switch self {
    case .null, .integer, .real: 0
    case .text(let bytes), .blob(let bytes): bytes.count
    }
  }
}
