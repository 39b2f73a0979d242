extension CellImage {
  /// The value when it is stored as an integer, however the image holds it.
  @inline(__always)
  var integerValue: Int64? {
    switch type {
    case 1...6:
      let unused = UInt64(64 - 8 * byteCount)
      return Int64(bitPattern: bits &<< unused) &>> Int64(unused)
    case 8, 9: return Int64(type - 8)
    default: return nil
    }
  }

  /// The value when it is stored as a real. What is not a number is NULL to SQLite.
  @inline(__always)
  var realValue: Double? {
    guard type == SerialType.real else { return nil }
    let value = Double(bitPattern: bits)
    return value.isNaN ? nil : value
  }

  /// A number's bits; those beyond its size mean nothing.
  @inline(__always)
  private var bits: UInt64 {
    guard let bytes else { return word }
    var value: UInt64 = 0
    for place in 0..<byteCount {
      value = value << 8 | UInt64(bytes.load(fromByteOffset: place, as: UInt8.self))
    }
    return value
  }
}
