/// A binary property list (`bplist00`) as a flat table of objects, by index.
///
/// References stay indexes: an object that several containers share is read once, so that a small
/// file cannot expand without bound. The format is described in the header of Apple's published
/// `CFBinaryPList.c`: magic, objects, a table of their offsets, a trailer of 32 bytes.
///
/// Reading takes time and memory in proportion to the bytes, and the number of objects is bounded. The
/// result is sound: every reference leads to an object, no container contains itself, and nesting is
/// bounded.
package struct BinaryPropertyList: Sendable {
  /// One object; the integers in containers are indexes into ``objects``.
  package enum Object: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsignedInteger(UInt64)
    case real(Double)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    case data([UInt8])
    case string(String)
    case uid(UInt64)
    case array([Int])
    case set([Int])
    /// The number of keys equals the number of values, in the order of the file.
    case dictionary(keys: [Int], values: [Int])
  }

  /// The deepest nesting of containers that is accepted.
  package static let maximumDepth = 512
  /// The largest number of objects that is read; two references count as one. In memory each takes about
  /// a hundred bytes, and in the file it may take one.
  package static let maximumObjects = 2_000_000
  /// The largest number of values that ``value()`` creates. Shared containers are written as often as they
  /// are referred to, and the objects and references of such a list must be fewer than
  /// ``maximumObjects``: whatever was read can be written, and read again.
  package static let maximumValues = 1_000_000
  /// The same, where every ``bytesOfStep`` bytes of texts and data count as one more.
  package static let maximumExpandedCount = 4_000_000
  /// The bytes of a text or of data that count as a value.
  static let bytesOfStep = 16

  /// The steps that a value of so many bytes may take, one for each value and each ``bytesOfStep`` bytes. In
  /// a list or an archive without shared objects these are fewer than two for each byte; some sharing is usual.
  package static func proportionateSteps(bytes: Int) -> Int { 20_000 + 2 * bytes }

  package let objects: [Object]
  /// The index of the outermost object.
  package let top: Int

  /// The number of values that each object expands to, itself and the steps of its bytes included; it
  /// saturates instead of overflowing.
  let expandedCounts: [Int]
  /// The number of values that each object expands to, keys and itself included; it saturates too.
  private let valueCounts: [Int]
  /// The largest of ``expandedCounts`` that ``value()`` accepts. A text may take twice the bytes that it
  /// has in the file, so a file without shared objects is never refused for its bytes.
  private let maximumCount: Int

  /// Reads a property list.
  ///
  /// - Throws: ``PropertyListError``.
  /// - Complexity: O(n) in the number of bytes.
  package init(_ bytes: [UInt8]) throws(PropertyListError) {
    var reader = try BinaryPropertyListReader(bytes)
    objects = try reader.readObjects()
    top = reader.top
    maximumCount = Self.maximumExpandedCount + 2 * bytes.count / Self.bytesOfStep
    (expandedCounts, valueCounts) = try Self.check(objects)
  }

  /// The number of values to which the list expands, where every ``bytesOfStep`` bytes of texts and data
  /// count as one more.
  package var expandedCount: Int { expandedCounts[top] }

  /// The list as one value. A shared object is repeated wherever it is referred to.
  ///
  /// - Throws: ``PropertyListError``: `tooLarge` if shared objects expand to too many values or bytes,
  ///   `badKey` for a key that is not a string, `badObject` for a null or a set, which a value
  ///   cannot hold.
  package func value() throws(PropertyListError) -> PropertyList {
    guard expandedCount <= maximumCount, valueCounts[top] <= Self.maximumValues else {
      throw .tooLarge
    }
    var known: [PropertyList?] = Array(repeating: nil, count: objects.count)
    return try value(at: top, known: &known)
  }

  /// The recursion is bounded by ``maximumDepth``. Each object is converted once.
  private func value(
    at index: Int, known: inout [PropertyList?]
  ) throws(PropertyListError) -> PropertyList {
    if let value = known[index] { return value }
    let value: PropertyList
    switch objects[index] {
    case .null, .set: throw .badObject(offset: index)
    case .bool(let bool): value = .bool(bool)
    case .integer(let integer): value = .integer(integer)
    case .unsignedInteger(let integer): value = .unsignedInteger(integer)
    case .real(let real): value = .real(real)
    case .date(let date): value = .date(date)
    case .data(let data): value = .data(data)
    case .string(let string): value = .string(string)
    case .uid(let uid): value = .uid(uid)
    case .array(let elements):
      var values: [PropertyList] = []
      values.reserveCapacity(elements.count)
      for element in elements { values.append(try self.value(at: element, known: &known)) }
      value = .array(values)
    case .dictionary(let keys, let values):
      var members: [PropertyList.Member] = []
      members.reserveCapacity(keys.count)
      for (key, element) in zip(keys, values) {
        guard case .string(let name) = objects[key] else { throw .badKey }
        members.append(PropertyList.Member(name, try self.value(at: element, known: &known)))
      }
      value = .dictionary(members)
    }
    known[index] = value
    return value
  }
}

extension BinaryPropertyList.Object {
  /// The indexes a container refers to, keys before values.
  var references: [Int] {
    switch self {
    case .array(let elements), .set(let elements): elements
    case .dictionary(let keys, let values): keys + values
    default: []
    }
  }

  var isContainer: Bool {
    switch self {
    case .array, .set, .dictionary: true
    default: false
    }
  }

  /// What the object itself adds to ``BinaryPropertyList/expandedCounts``.
  var ownCount: Int {
    switch self {
    case .string(let text): 1 + text.utf8.count / BinaryPropertyList.bytesOfStep
    case .data(let bytes): 1 + bytes.count / BinaryPropertyList.bytesOfStep
    default: 1
    }
  }
}
