internal import PassageModels
internal import PassagePlatform
internal import PassageStores
internal import PassageValues

extension KeyedUnarchiver {
  /// An attribute's archived default value, in the form in which a store holds it.
  ///
  /// - Returns: `null` if there is none; `nil` for an object of a class whose stored form is not
  ///   known, or a value that does not fit the type.
  mutating func defaultValue(
    _ item: KeyedArchive.Item, as type: AttributeType
  ) throws(KeyedArchiveError) -> Value? {
    switch (type, item) {
    case (_, .null): return .null
    case (.boolean, .bool(let flag)): return Value(flag)
    case (.boolean, .integer(let number)): return Value(number != 0)
    case (.boolean, .real(let number)): return Value(number != 0)
    case (.integer16, _):
      return whole(item).flatMap { Int16(exactly: $0) }.map { Value.integer(Int64($0)) }
    case (.integer32, _):
      return whole(item).flatMap { Int32(exactly: $0) }.map { Value.integer(Int64($0)) }
    case (.integer64, _): return whole(item).map { Value.integer($0) }
    case (.double, _), (.float, _): return real(item).map { Value.real($0) }
    case (.decimal, .object(let object)): return try decimal(object)
    case (.decimal, _):
      return whole(item).map { Value.integer($0) } ?? real(item).map { Value.real($0) }
    case (.string, _): return try string(item).map { Value.text($0) }
    case (.date, .date(let seconds)): return seconds.isFinite ? .real(seconds) : nil
    case (.date, .object(let object)):
      return real(try archive.item("NS.time", of: object)).map { Value.real($0) }
    case (.uuid, .object(let object)):
      guard case .data(let bytes) = try archive.item("NS.uuidbytes", of: object), bytes.count == 16
      else { return nil }
      return .blob(bytes)
    case (.uri, .object(let object)):
      guard try archive.item("NS.base", of: object) == .null else { return nil }
      return try string("NS.relative", of: object).map { Value.text($0) }
    case (.binary, .data(let bytes)):
      try spend(bytes.count / 16)
      return .blob(bytes)
    case (.binary, .object(let object)):
      guard case .data(let bytes) = try archive.item("NS.data", of: object) else { return nil }
      try spend(bytes.count / 16)
      return .blob(bytes)
    default: return nil
    }
  }

  private func whole(_ item: KeyedArchive.Item) -> Int64? {
    switch item {
    case .integer(let number): number
    case .bool(let flag): flag ? 1 : 0
    case .real(let number): Int64(exactly: number)
    default: nil
    }
  }

  private func real(_ item: KeyedArchive.Item) -> Double? {
    switch item {
    case .integer(let number): Double(number)
    case .bool(let flag): flag ? 1 : 0
    case .real(let number) where number.isFinite: number
    default: nil
    }
  }

  /// An `NSDecimalNumber`: a mantissa of up to eight 16-bit units, lowest first, times a power of
  /// ten.
  private func decimal(
    _ object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> Value? {
    guard case .data(let bytes) = try archive.item("NS.mantissa", of: object), bytes.count == 16,
      let exponent = try integer("NS.exponent", of: object), (-128...127).contains(exponent)
    else { return nil }
    let units = min(max(try integer("NS.length", of: object) ?? 8, 0), 8)
    // NSByteOrder: 2 is big-endian. The units have the byte order of the machine that wrote them.
    let isBigEndian = try integer("NS.mantissa.bo", of: object) == 2
    var mantissa: UInt128 = 0
    for unit in (0..<Int(units)).reversed() {
      let (low, high) =
        isBigEndian
        ? (bytes[unit * 2 + 1], bytes[unit * 2]) : (bytes[unit * 2], bytes[unit * 2 + 1])
      mantissa = mantissa << 16 | UInt128(high) << 8 | UInt128(low)
    }
    let sign = try flag("NS.negative", of: object) ? "-" : ""
    if exponent == 0, let whole = Int64("\(sign)\(mantissa)") { return .integer(whole) }
    return Double("\(sign)\(mantissa)e\(exponent)").map { Value.real($0) }
  }
}
