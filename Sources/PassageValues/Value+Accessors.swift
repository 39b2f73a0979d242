public import PassagePlatform

extension Value {
  /// The cell as an integer: an integer, or a real without a fraction that fits; otherwise `nil`.
  public var integer: Int64? {
    switch self {
    case .integer(let value): value
    case .real(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The cell as a floating-point number; `nil` when it is not a number.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }

  /// The cell as a Boolean: any number but zero is true; `nil` if it is not a number.
  public var bool: Bool? { double.map { $0 != 0 } }

  /// The cell as text; `nil` when it is not text or its bytes are not valid UTF-8.
  public var string: String? {
    if case .text(let value) = self { value } else { nil }
  }

  /// The cell's bytes; `nil` when it is not a blob.
  public var bytes: [UInt8]? {
    if case .blob(let value) = self { value } else { nil }
  }

  /// The cell as a point in time: a number of seconds since 2001-01-01 00:00:00 UTC.
  public var date: Date? { double.map(Date.init(timeIntervalSinceReferenceDate:)) }

  /// The cell as a UUID: exactly 16 bytes.
  public var uuid: UUID? {
    guard case .blob(let b) = self, b.count == 16 else { return nil }
    return UUID(
      uuid: (
        b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7],
        b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
      ))
  }

  /// Seconds since 2001-01-01 00:00:00 UTC, as a `Date` attribute is stored.
  public init(_ date: Date) { self = .real(date.timeIntervalSinceReferenceDate) }

  /// 16 bytes, as a `UUID` attribute is stored.
  public init(_ uuid: UUID) { self = .blob(withUnsafeBytes(of: uuid.uuid) { Array($0) }) }

  /// 0 or 1, as a `Boolean` attribute is stored.
  public init(_ bool: Bool) { self = .integer(bool ? 1 : 0) }
}
