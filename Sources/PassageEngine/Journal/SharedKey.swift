internal import PassageValues

/// The bytes under which a shared object is looked up: equal for equal cells and different for
/// different ones.
enum SharedKey {
  static func bytes(_ cells: [Value]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64)
    for cell in cells {
      switch cell {
      case .null: bytes.append(0)
      case .integer(let value):
        bytes.append(1)
        append(UInt64(bitPattern: value), to: &bytes)
      case .real(let value):
        bytes.append(2)
        append(value.bitPattern, to: &bytes)
      case .text(let value): append(3, value.utf8, to: &bytes)
      case .malformedText(let value): append(3, value, to: &bytes)
      case .blob(let value): append(4, value, to: &bytes)
      }
    }
    return bytes
  }

  private static func append(
    _ tag: UInt8, _ content: some Collection<UInt8>, to bytes: inout [UInt8]
  ) {
    bytes.append(tag)
    append(UInt64(content.count), to: &bytes)
    bytes.append(contentsOf: content)
  }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
