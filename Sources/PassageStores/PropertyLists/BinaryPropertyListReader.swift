/// Reads the objects of a binary property list, each at most once.
struct BinaryPropertyListReader {
  private let bytes: [UInt8]
  private let objectCount: Int
  private let offsetBytes: Int
  private let referenceBytes: Int
  private let offsetTable: Int
  /// The index of the outermost object.
  let top: Int
  /// The number of bytes that further objects may take. All objects together take no more than the
  /// file, so that a table of many offsets to one large object cannot make reading quadratic.
  private var budget: Int
  /// The number of references that further containers may have; each object took two of them.
  private var remainingReferences: Int

  private static let trailerBytes = 32
  private static let headerBytes = 8

  init(_ bytes: [UInt8]) throws(PropertyListError) {
    guard bytes.starts(with: "bplist0".utf8) else { throw .notABinaryPropertyList }
    guard bytes.count >= Self.headerBytes + Self.trailerBytes else { throw .truncated }
    let trailer = bytes.count - Self.trailerBytes
    self.bytes = bytes
    self.offsetBytes = Int(bytes[trailer + 6])
    self.referenceBytes = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetBytes), (1...8).contains(referenceBytes),
      let count = Self.integer(bytes, at: trailer + 8, width: 8),
      let top = Self.integer(bytes, at: trailer + 16, width: 8),
      let table = Self.integer(bytes, at: trailer + 24, width: 8)
    else { throw .truncated }
    guard count > 0, top < count, table >= Self.headerBytes, table <= trailer,
      count <= (trailer - table) / offsetBytes
    else { throw .truncated }
    self.objectCount = count
    self.top = top
    self.offsetTable = table
    self.budget = bytes.count
    guard count <= BinaryPropertyList.maximumObjects else { throw .tooLarge }
    self.remainingReferences = 2 * (BinaryPropertyList.maximumObjects - count)
  }

  mutating func readObjects() throws(PropertyListError) -> [BinaryPropertyList.Object] {
    var objects: [BinaryPropertyList.Object] = []
    objects.reserveCapacity(objectCount)
    for index in 0..<objectCount {
      guard
        let offset = Self.integer(
          bytes, at: offsetTable + index * offsetBytes, width: offsetBytes),
        offset >= Self.headerBytes, offset < offsetTable
      else { throw .truncated }
      objects.append(try object(at: offset))
    }
    return objects
  }

  private mutating func object(at offset: Int) throws(PropertyListError)
    -> BinaryPropertyList.Object
  {
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0:
      try spend(1)
      switch marker {
      case 0x00: return .null
      case 0x08: return .bool(false)
      case 0x09: return .bool(true)
      default: throw .badObject(offset: offset)
      }
    case 0x1: return try integer(at: offset, width: 1 << low)
    case 0x2: return .real(try real(at: offset, width: 1 << low))
    case 0x3:
      guard low == 3 else { throw .badObject(offset: offset) }
      return .date(try real(at: offset, width: 8))
    case 0x4:
      let range = try payload(at: offset, unit: 1)
      return .data(Array(bytes[range]))
    case 0x5:
      let range = try payload(at: offset, unit: 1)
      guard bytes[range].allSatisfy({ $0 < 0x80 }),
        let text = String(validating: bytes[range], as: UTF8.self)
      else { throw .malformedString(offset: offset) }
      return .string(text)
    case 0x6:
      let range = try payload(at: offset, unit: 2)
      let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      guard let text = String(validating: units, as: UTF16.self) else {
        throw .malformedString(offset: offset)
      }
      return .string(text)
    case 0x8:
      let width = low + 1
      let range = try fixed(at: offset, width: width)
      guard width <= 8 else { throw .badObject(offset: offset) }
      return .uid(unsigned(range))
    case 0xA: return .array(try references(at: offset, perEntry: 1))
    case 0xB, 0xC: return .set(try references(at: offset, perEntry: 1))
    case 0xD:
      let all = try references(at: offset, perEntry: 2)
      return .dictionary(
        keys: Array(all[..<(all.count / 2)]), values: Array(all[(all.count / 2)...]))
    default: throw .badObject(offset: offset)
    }
  }

  private mutating func integer(
    at offset: Int, width: Int
  ) throws(PropertyListError) -> BinaryPropertyList.Object {
    guard width <= 16 else { throw .badObject(offset: offset) }
    let range = try fixed(at: offset, width: width)
    guard width == 16 else {
      let value = unsigned(range)
      // Only integers of eight bytes are signed.
      return .integer(width == 8 ? Int64(bitPattern: value) : Int64(truncatingIfNeeded: value))
    }
    let middle = range.lowerBound + 8
    let high = unsigned(range.lowerBound..<middle)
    let low = unsigned(middle..<range.upperBound)
    if high == 0 { return Int64(exactly: low).map { .integer($0) } ?? .unsignedInteger(low) }
    guard high == .max, Int64(bitPattern: low) < 0 else { throw .badObject(offset: offset) }
    return .integer(Int64(bitPattern: low))
  }

  private mutating func real(at offset: Int, width: Int) throws(PropertyListError) -> Double {
    guard width == 4 || width == 8 else { throw .badObject(offset: offset) }
    let bits = unsigned(try fixed(at: offset, width: width))
    return width == 4
      ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
  }

  private mutating func references(
    at offset: Int, perEntry: Int
  ) throws(PropertyListError) -> [Int] {
    let range = try payload(at: offset, unit: referenceBytes * perEntry)
    let count = range.count / referenceBytes
    guard count <= remainingReferences else { throw .tooLarge }
    remainingReferences -= count
    var references: [Int] = []
    references.reserveCapacity(count)
    for position in stride(from: range.lowerBound, to: range.upperBound, by: referenceBytes) {
      guard let reference = Self.integer(bytes, at: position, width: referenceBytes),
        reference < objectCount
      else { throw .badReference }
      references.append(reference)
    }
    return references
  }

  /// The bytes after the marker of an object of fixed width.
  private mutating func fixed(
    at offset: Int, width: Int
  ) throws(PropertyListError) -> Range<Int> {
    guard width <= offsetTable - offset - 1 else { throw .badObject(offset: offset) }
    try spend(1 + width)
    return (offset + 1)..<(offset + 1 + width)
  }

  /// The bytes of an object with a count, which is in the marker or in an integer after it.
  private mutating func payload(
    at offset: Int, unit: Int
  ) throws(PropertyListError) -> Range<Int> {
    var start = offset + 1
    var count = Int(bytes[offset] & 0x0F)
    if count == 0x0F {
      guard start < offsetTable, bytes[start] >> 4 == 0x1, bytes[start] & 0x0F <= 3 else {
        throw .badObject(offset: offset)
      }
      let width = 1 << Int(bytes[start] & 0x0F)
      guard width < offsetTable - start,
        let counted = Self.integer(bytes, at: start + 1, width: width)
      else { throw .badObject(offset: offset) }
      count = counted
      start += 1 + width
    }
    guard start <= offsetTable, count <= (offsetTable - start) / unit else {
      throw .badObject(offset: offset)
    }
    try spend(start - offset + count * unit)
    return start..<(start + count * unit)
  }

  private mutating func spend(_ count: Int) throws(PropertyListError) {
    budget -= count
    if budget < 0 { throw .overlappingObjects }
  }

  /// Reads up to eight bytes, most significant byte first.
  private func unsigned(_ range: Range<Int>) -> UInt64 {
    bytes[range].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads an unsigned integer as an `Int`; `nil` if it lies outside the bytes or is too large.
  private static func integer(_ bytes: [UInt8], at offset: Int, width: Int) -> Int? {
    guard offset >= 0, width <= bytes.count, offset <= bytes.count - width else { return nil }
    return Int(exactly: bytes[offset..<(offset + width)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
