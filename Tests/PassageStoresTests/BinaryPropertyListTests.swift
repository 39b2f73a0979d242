import PassageStores
import TestSupport
import Testing

struct BinaryPropertyListTests {
  static let values: [PropertyList] = [
    .string(""), .string("plain"), .string("Zoë 🚲"), .string(String(repeating: "x", count: 300)),
    .integer(0), .integer(255), .integer(256), .integer(65_536), .integer(4_294_967_296),
    .integer(-1), .integer(.min), .integer(.max), .unsignedInteger(.max),
    .real(0), .real(-1.5), .real(.infinity), .bool(true), .bool(false), .date(789.25),
    .data([]), .data(Array(0...255)), .uid(0), .uid(70_000), .array([]), .dictionary([]),
    .array((0..<300).map { .integer($0) }),
    .dictionary((0..<20).map { PropertyList.Member("key \($0)", .array([.string("same")])) }),
  ]

  @Test(arguments: values)
  func `a value that was written is read as an equal value`(value: PropertyList) throws {
    let bytes = value.binaryPropertyList
    let again = try BinaryPropertyList(bytes).value()
    #expect(again == value)
    #expect(again.binaryPropertyList == bytes)
  }

  @Test func `texts and numbers that compare equal keep their own bytes`() throws {
    let value = PropertyList.array([
      .string("\u{E9}"), .string("e\u{301}"), .real(0), .real(-0.0),
    ])
    guard case .array(let again) = try BinaryPropertyList(value.binaryPropertyList).value(),
      case .string(let first) = again[0], case .string(let second) = again[1],
      case .real(let zero) = again[2], case .real(let negative) = again[3]
    else {
      Issue.record("the array came back as something else")
      return
    }
    #expect(Array(first.unicodeScalars) == ["\u{E9}"])
    #expect(Array(second.unicodeScalars) == ["e", "\u{301}"])
    #expect(zero.sign == .plus && negative.sign == .minus)
  }

  @Test func `a list written by hand is read`() throws {
    // {"a": [1, true]}
    let bytes = list(
      objects: [[0xD1, 1, 2], [0x51, 0x61], [0xA2, 3, 4], [0x10, 1], [0x09]], top: 0)
    #expect(
      try BinaryPropertyList(bytes).value()
        == .dictionary([PropertyList.Member("a", .array([.integer(1), .bool(true)]))]))
  }

  @Test(arguments: [
    ([[0xA1, 0]], PropertyListError.cycle),
    ([[0xA1, 1], [0xA1, 0]], .cycle),
    ([[0xA1, 9]], .badReference),
    ([[0xA5, 0]], .badObject(offset: 8)),
    ([[0x70]], .badObject(offset: 8)),
    ([[0x13, 0]], .badObject(offset: 8)),
    ([[0x1F]], .badObject(offset: 8)),
    ([[0x4F, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], .badObject(offset: 8)),
    ([[0x4F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], .badObject(offset: 8)),
    ([[0x51, 0xFF]], .malformedString(offset: 8)),
    ([[0x61, 0xD8, 0x00]], .malformedString(offset: 8)),
  ])
  func `a list that is wrong is refused`(objects: [[UInt8]], error: PropertyListError) {
    #expect(throws: error) { try BinaryPropertyList(list(objects: objects, top: 0)).value() }
  }

  @Test func `bytes that are no property list are refused`() {
    #expect(throws: PropertyListError.notABinaryPropertyList) { try BinaryPropertyList([]) }
    #expect(throws: PropertyListError.notABinaryPropertyList) {
      try BinaryPropertyList(Array("<?xml version=\"1.0\"?>".utf8))
    }
    #expect(throws: PropertyListError.truncated) { try BinaryPropertyList(Array("bplist00".utf8)) }
  }

  @Test func `shared objects are read once and a bomb is refused when it would expand`() throws {
    // Each of 40 arrays holds the next one ten times: 10^39 values in a few hundred bytes.
    let depth: UInt8 = 40
    var objects: [[UInt8]] = (1..<depth).map { [0xAA] + [UInt8](repeating: $0, count: 10) }
    objects.append([0x09])
    let bomb = try BinaryPropertyList(list(objects: objects, top: 0))
    #expect(bomb.objects.count == Int(depth))
    #expect(throws: PropertyListError.tooLarge) { try bomb.value() }
  }

  /// An array that holds one array some times, which holds an empty one 250 times.
  private func sharingContainers(_ count: UInt16) -> [UInt8] {
    var outer: [UInt8] = [0xAF, 0x11]
    outer += big(UInt64(count)).suffix(2)
    outer += [UInt8](repeating: 1, count: Int(count))
    let inner: [UInt8] = [0xAF, 0x10, 250] + [UInt8](repeating: 2, count: 250)
    return list(objects: [outer, inner, [0xA0]], top: 0)
  }

  @Test func `shared containers that were read are written so that they are read again`() throws {
    let value = try BinaryPropertyList(sharingContainers(3_900)).value()
    let again = try BinaryPropertyList(value.binaryPropertyList).value()
    #expect(again == value)
    let bomb = try BinaryPropertyList(sharingContainers(4_000))
    #expect(throws: PropertyListError.tooLarge) { try bomb.value() }
  }

  @Test func `metadata that could not be read again are not written`() throws {
    func metadata(_ values: Int) -> StoreMetadata {
      let lists = Array(repeating: PropertyList.array([]), count: values)
      return StoreMetadata(storeUUID: "U", members: [PropertyList.Member("app", .array(lists))])
    }
    try metadata(BinaryPropertyList.maximumValues - 10).checkReadable(path: "a.sqlite")
    let error = #expect(throws: StoreError.self) {
      try metadata(BinaryPropertyList.maximumValues).checkReadable(path: "a.sqlite")
    }
    #expect(error?.kind == .unreadableMetadata)
  }

  /// Arrays of a hundred elements each, around one text of 64 KiB.
  private func sharing(levels: UInt8) -> [UInt8] {
    var objects: [[UInt8]] = (1...levels).map {
      [0xAF, 0x10, 100] + [UInt8](repeating: $0, count: 100)
    }
    objects.append([0x5F, 0x11, 0xFF, 0xFF] + [UInt8](repeating: 0x73, count: 65_535))
    return list(objects: objects, top: 0)
  }

  @Test func `a long text that is shared counts wherever it is referred to`() throws {
    let value = try BinaryPropertyList(sharing(levels: 1)).value()
    #expect(value.elements?.count == 100)
    #expect(value.binaryPropertyList.count < 70_000)
    for levels: UInt8 in [2, 3] {
      let bomb = try BinaryPropertyList(sharing(levels: levels))
      #expect(throws: PropertyListError.tooLarge) { try bomb.value() }
    }
  }

  @Test func `data that is shared, and a long key, count wherever they are referred to`() throws {
    let many = [0xAF, 0x11, 0x04, 0x00] + [UInt8](repeating: 1, count: 1_024)
    let data = [0x4F, 0x12, 0x00, 0x01, 0x00, 0x00] + [UInt8](repeating: 7, count: 65_536)
    let key = [0x5F, 0x12, 0x00, 0x01, 0x00, 0x00] + [UInt8](repeating: 0x73, count: 65_536)
    #expect(throws: PropertyListError.tooLarge) {
      try BinaryPropertyList(list(objects: [many, data], top: 0)).value()
    }
    #expect(throws: PropertyListError.tooLarge) {
      try BinaryPropertyList(list(objects: [many, [0xD1, 2, 3], [0x09], key], top: 0)).value()
    }
  }

  @Test func `containers nested beyond the limit are refused`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      var value = PropertyList.bool(true)
      for _ in 0..<depth { value = .array([value]) }
      return value.binaryPropertyList
    }
    _ = try BinaryPropertyList(nested(BinaryPropertyList.maximumDepth)).value()
    #expect(throws: PropertyListError.tooDeep) {
      try BinaryPropertyList(nested(BinaryPropertyList.maximumDepth + 1))
    }
  }

  @Test func `objects that share bytes are refused`() {
    // A thousand offsets to one object of a thousand bytes.
    var bytes = Array("bplist00".utf8) + [0x4F, 0x11, 0x03, 0xE8]
    bytes += [UInt8](repeating: 0, count: 1_000)
    let table = bytes.count
    bytes += [UInt8](repeating: 8, count: 1_000)
    bytes += trailer(offsetBytes: 1, referenceBytes: 2, count: 1_000, top: 0, table: table)
    #expect(throws: PropertyListError.overlappingObjects) { try BinaryPropertyList(bytes) }
  }

  @Test func `small objects without end are refused before they are read`() {
    // As many offsets of one byte, all to the same object.
    let count = BinaryPropertyList.maximumObjects + 1
    var bytes = Array("bplist00".utf8) + [0x08]
    bytes += [UInt8](repeating: 8, count: count)
    bytes += trailer(offsetBytes: 1, referenceBytes: 1, count: UInt64(count), top: 0, table: 9)
    #expect(throws: PropertyListError.tooLarge) { try BinaryPropertyList(bytes) }
  }

  @Test(arguments: [(0xA0, 1), (0xC0, 1), (0xD0, 2)] as [(UInt8, Int)])
  func `references without end are refused`(marker: UInt8, perEntry: Int) throws {
    func container(_ references: Int) -> [UInt8] {
      var container: [UInt8] = [marker | 0x0F, 0x12]
      container += big(UInt64(references / perEntry)).suffix(4)
      container += [UInt8](repeating: 0, count: references)
      return list(objects: [[0x51, 0x61], container], top: 1)
    }
    // Two objects have taken the place of four references.
    let largest = 2 * BinaryPropertyList.maximumObjects - 4
    _ = try BinaryPropertyList(container(largest))
    #expect(throws: PropertyListError.tooLarge) {
      try BinaryPropertyList(container(largest + perEntry))
    }
  }

  @Test(
    arguments: [
      (UInt64.max, 0, 8), (1, UInt64.max, 8), (1, 0, UInt64.max), (1 << 62, 0, 8), (0, 0, 8),
      (1, 1, 8), (1, 0, 7), (1, 0, 1_000),
    ] as [(UInt64, UInt64, UInt64)])
  func `a trailer with impossible numbers is refused`(count: UInt64, top: UInt64, table: UInt64) {
    var bytes = Array("bplist00".utf8) + [0x09, 0x08]
    bytes += [0, 0, 0, 0, 0, 0, 1, 1] + big(count) + big(top) + big(table)
    #expect(throws: PropertyListError.truncated) { try BinaryPropertyList(bytes) }
  }

  @Test func `damaged bytes give an error or a value, and never stop the program`() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("seed of the damaged property lists: \(seed)")
    var random = SeededRandom(seed: seed)
    let original = PropertyList.array(Self.values).binaryPropertyList
    var readable = 0
    for _ in 0..<4_000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        // Half of the damage goes to the table and the trailer, where all lengths come from.
        let range =
          Bool.random(using: &random) ? 0..<bytes.count : (bytes.count * 2 / 3)..<bytes.count
        bytes[Int.random(in: range, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Int.random(in: 0..<10, using: &random) == 0 {
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      }
      do {
        let value = try BinaryPropertyList(bytes).value()
        let written = value.binaryPropertyList
        let again = try BinaryPropertyList(written).value()
        try #require(again.binaryPropertyList == written)
        readable += 1
      } catch is PropertyListError {}
    }
    #expect(readable > 0, "seed \(seed)")
  }

  private func list(objects: [[UInt8]], top: UInt64) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += big(UInt64(bytes.count)).suffix(2)
      bytes += object
    }
    let table = bytes.count
    return bytes + offsets
      + trailer(
        offsetBytes: 2, referenceBytes: 1, count: UInt64(objects.count), top: top, table: table)
  }

  private func trailer(
    offsetBytes: UInt8, referenceBytes: UInt8, count: UInt64, top: UInt64, table: Int
  ) -> [UInt8] {
    [0, 0, 0, 0, 0, 0, offsetBytes, referenceBytes] + big(count) + big(top) + big(UInt64(table))
  }

  private func big(_ value: UInt64) -> [UInt8] {
    (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
  }
}
