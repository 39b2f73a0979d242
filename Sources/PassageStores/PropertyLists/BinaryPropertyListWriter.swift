extension PropertyList {
  /// The value as a binary property list. Equal scalars are written once.
  ///
  /// The same value always gives the same bytes. Reading them gives an equal value.
  ///
  /// - Complexity: O(n) in the number of values and their bytes.
  public var binaryPropertyList: [UInt8] {
    var writer = BinaryPropertyListWriter()
    return writer.write(self)
  }
}

/// Writes a property list: first a flat table of objects, then their bytes.
private struct BinaryPropertyListWriter {
  private enum Entry {
    /// The bytes are at this place in ``scalars``.
    case scalar(Range<Int>)
    /// The references of a dictionary are its keys, then its values.
    case container(marker: UInt8, count: Int, references: [Int])
  }

  private var entries: [Entry] = []
  /// The bytes of all scalars, so that none has memory of its own.
  private var scalars: [UInt8] = []
  /// The last scalar whose bytes have a hash. They are compared by their bytes, so that equal texts with
  /// different bytes stay different.
  private var known: [Int: Int] = [:]
  /// By scalar, the one before it whose bytes have the same hash.
  private var earlier: [Int: Int] = [:]

  mutating func write(_ value: PropertyList) -> [UInt8] {
    // Enough for the metadata of most stores.
    entries.reserveCapacity(64)
    scalars.reserveCapacity(2_048)
    known.reserveCapacity(64)
    let top = add(value)
    let referenceBytes = Self.width(of: UInt64(entries.count))
    var bytes = Array("bplist00".utf8)
    bytes.reserveCapacity(scalars.count + 16 * entries.count + 64)
    var offsets: [Int] = []
    offsets.reserveCapacity(entries.count)
    for entry in entries {
      offsets.append(bytes.count)
      switch entry {
      case .scalar(let place): bytes += scalars[place]
      case .container(let marker, let count, let references):
        Self.append(marker: marker, count: count, to: &bytes)
        for reference in references {
          Self.append(UInt64(reference), width: referenceBytes, to: &bytes)
        }
      }
    }
    let table = bytes.count
    let offsetBytes = Self.width(of: UInt64(table))
    for offset in offsets { Self.append(UInt64(offset), width: offsetBytes, to: &bytes) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetBytes), UInt8(referenceBytes)]
    Self.append(UInt64(entries.count), width: 8, to: &bytes)
    Self.append(UInt64(top), width: 8, to: &bytes)
    Self.append(UInt64(table), width: 8, to: &bytes)
    return bytes
  }

  private mutating func add(_ value: PropertyList) -> Int {
    switch value {
    case .array(let elements):
      let index = reserve()
      let references = elements.map { add($0) }
      entries[index] = .container(marker: 0xA0, count: elements.count, references: references)
      return index
    case .dictionary(let members):
      let index = reserve()
      let keys = members.map { add(.string($0.key)) }
      let values = members.map { add($0.value) }
      entries[index] = .container(marker: 0xD0, count: members.count, references: keys + values)
      return index
    default: return addScalar(value)
    }
  }

  private mutating func addScalar(_ value: PropertyList) -> Int {
    let start = scalars.count
    Self.append(value, to: &scalars)
    let place = start..<scalars.count
    let hash = hash(of: place)
    var candidate = known[hash]
    while let index = candidate {
      if case .scalar(let other) = entries[index], scalars[other] == scalars[place] {
        scalars.removeLast(place.count)
        return index
      }
      candidate = earlier[index]
    }
    entries.append(.scalar(place))
    let index = entries.count - 1
    if let before = known.updateValue(index, forKey: hash) { earlier[index] = before }
    return index
  }

  private func hash(of place: Range<Int>) -> Int {
    var hasher = Hasher()
    scalars.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[place])) }
    return hasher.finalize()
  }

  /// A container comes before its contents.
  private mutating func reserve() -> Int {
    entries.append(.container(marker: 0xA0, count: 0, references: []))
    return entries.count - 1
  }

  private static func append(_ value: PropertyList, to bytes: inout [UInt8]) {
    switch value {
    case .array, .dictionary: break
    case .bool(let value): bytes.append(value ? 0x09 : 0x08)
    case .integer(let value): append(value, to: &bytes)
    case .unsignedInteger(let value):
      bytes.append(0x14)
      append(0, width: 8, to: &bytes)
      append(value, width: 8, to: &bytes)
    case .real(let value):
      bytes.append(0x23)
      append(value.bitPattern, width: 8, to: &bytes)
    case .date(let value):
      bytes.append(0x33)
      append(value.bitPattern, width: 8, to: &bytes)
    case .data(let value):
      append(marker: 0x40, count: value.count, to: &bytes)
      bytes += value
    case .string(let value):
      if value.utf8.allSatisfy({ $0 < 0x80 }) {
        append(marker: 0x50, count: value.utf8.count, to: &bytes)
        bytes += value.utf8
      } else {
        append(marker: 0x60, count: value.utf16.count, to: &bytes)
        for unit in value.utf16 { append(UInt64(unit), width: 2, to: &bytes) }
      }
    case .uid(let value):
      let width = width(of: value)
      bytes.append(0x80 | UInt8(width - 1))
      append(value, width: width, to: &bytes)
    }
  }

  private static func append(_ value: Int64, to bytes: inout [UInt8]) {
    switch value {
    case 0...0xFF:
      bytes.append(0x10)
      append(UInt64(value), width: 1, to: &bytes)
    case 0...0xFFFF:
      bytes.append(0x11)
      append(UInt64(value), width: 2, to: &bytes)
    case 0...0xFFFF_FFFF:
      bytes.append(0x12)
      append(UInt64(value), width: 4, to: &bytes)
    default:
      bytes.append(0x13)
      append(UInt64(bitPattern: value), width: 8, to: &bytes)
    }
  }

  private static func append(marker: UInt8, count: Int, to bytes: inout [UInt8]) {
    guard count >= 15 else {
      bytes.append(marker | UInt8(count))
      return
    }
    bytes.append(marker | 0x0F)
    append(Int64(count), to: &bytes)
  }

  private static func append(_ value: UInt64, width: Int, to bytes: inout [UInt8]) {
    for shift in (0..<width).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(shift))))
    }
  }

  private static func width(of value: UInt64) -> Int {
    switch value {
    case 0...0xFF: 1
    case 0...0xFFFF: 2
    case 0...0xFFFF_FFFF: 4
    default: 8
    }
  }
}
