internal import PassageModels
internal import PassageValues

extension KeyedArchiver {
  /// Adds an attribute's default value, as an object of the type's class.
  ///
  /// - Returns: the reference; `nil` if there is no default, for a transformable attribute, whose
  ///   default is an object that only its transformer knows, and for a value that does not fit.
  mutating func defaultValue(_ value: Value, as type: AttributeType) -> PropertyList? {
    switch (type, value) {
    case (.boolean, .integer(let number)): scalar(.integer(number == 0 ? 0 : 1))
    case (.integer16, .integer(let number)), (.integer32, .integer(let number)),
      (.integer64, .integer(let number)):
      scalar(.integer(number))
    case (.double, _), (.float, _): value.double.map { scalar(.real($0)) }
    case (.decimal, .integer(let number)):
      decimal(number.magnitude, exponent: 0, isNegative: number < 0)
    case (.decimal, .real(let number)): decimal(number)
    case (.string, .text(let text)): self.text(text)
    case (.date, _): value.double.map { date($0) }
    case (.uuid, .blob(let bytes)):
      add(Class("NSUUID"), [PropertyList.Member("NS.uuidbytes", .data(bytes))])
    case (.uri, .text(let text)): uri(text)
    case (.binary, .blob(let bytes)): scalar(.data(bytes))
    default: nil
    }
  }

  /// Adds a point in time, in seconds since 2001-01-01 UTC.
  mutating func date(_ seconds: Double) -> PropertyList {
    add(Class("NSDate"), [PropertyList.Member("NS.time", .real(seconds))])
  }

  private mutating func uri(_ text: String) -> PropertyList {
    let relative = self.text(text)
    return add(
      Class("NSURL"),
      [
        PropertyList.Member("NS.base", Self.null), PropertyList.Member("NS.relative", relative),
      ])
  }

  /// A decimal number with the digits of a real number's shortest text.
  private mutating func decimal(_ number: Double) -> PropertyList? {
    guard number.isFinite else { return nil }
    let parts = "\(number.magnitude)".split(separator: "e")
    let digits = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let fraction = digits.count > 1 ? digits[1] : ""
    guard let mantissa = UInt64("\(digits[0])\(fraction)") else { return nil }
    let exponent = (parts.count > 1 ? Int64(parts[1]) ?? 0 : 0) - Int64(fraction.count)
    return decimal(mantissa, exponent: exponent, isNegative: number < 0)
  }

  /// An `NSDecimalNumber`: a mantissa of up to eight 16-bit units, lowest first, times a power of
  /// ten.
  private mutating func decimal(
    _ mantissa: UInt64, exponent: Int64, isNegative: Bool
  ) -> PropertyList? {
    guard (-128...127).contains(exponent) else { return nil }
    var bytes = (0..<8).map { UInt8(truncatingIfNeeded: mantissa >> (8 * UInt64($0))) }
    bytes += [UInt8](repeating: 0, count: 8)
    let units = (64 - mantissa.leadingZeroBitCount + 15) / 16
    return add(
      Class("NSDecimalNumber", "NSNumber", "NSValue"),
      [
        PropertyList.Member("NS.mantissa", .data(bytes)),
        // NSByteOrder: 1 is little-endian.
        PropertyList.Member("NS.mantissa.bo", .integer(1)),
        PropertyList.Member("NS.exponent", .integer(exponent)),
        PropertyList.Member("NS.length", .integer(Int64(units))),
        PropertyList.Member("NS.negative", .bool(isNegative)),
        PropertyList.Member("NS.compact", .bool(true)),
      ])
  }
}
