import PassageDiagnostics
import PassageModels
import PassageReaders
import PassageStores
import PassageValues
import Testing

struct ArchivedDefaultTests {
  /// The default an archive gives, and the codes of what its reader says.
  private func read(
    _ type: AttributeType, _ make: (inout ArchiveBuilder) -> PropertyList
  ) throws -> (value: Value?, codes: [String]) {
    var archive = ArchivedModel()
    let value = make(&archive.builder)
    let attribute = archive.attribute("a", Int64(type.rawValue), [("NSDefaultValue", value)])
    archive.entity("E", properties: [attribute])
    let read = try archive.read()
    return (
      read.model.entity(named: "E")?.attributes.first?.defaultValue, read.remarks.all.map(\.code)
    )
  }

  @Test(arguments: [
    (AttributeType.integer16, PropertyList.integer(-7), Value.integer(-7)),
    (.integer64, .integer(1 << 40), .integer(1 << 40)), (.integer32, .real(3), .integer(3)),
    (.boolean, .bool(true), .integer(1)), (.boolean, .integer(0), .integer(0)),
    (.double, .real(1.5), .real(1.5)), (.float, .integer(2), .real(2)),
    (.decimal, .integer(12), .integer(12)), (.string, .string("x"), .text("x")),
    (.binary, .data([1, 2]), .blob([1, 2])), (.date, .date(3.5), .real(3.5)),
  ])
  func `a scalar is the default as a store keeps it`(
    _ type: AttributeType, _ archived: PropertyList, _ value: Value
  ) throws {
    let read = try read(type) { $0.add(archived) }
    #expect(read.value == value)
    #expect(read.codes.isEmpty)
  }

  @Test func `an archived date counts seconds since 2001`() throws {
    let read = try read(.date) { $0.add("NSDate", [("NS.time", .real(60.25))]) }
    #expect(read.value == .real(60.25))
  }

  @Test func `an archived text of any class is a text`() throws {
    let read = try read(.string) {
      let text = $0.text("x")
      return $0.add("NSMutableString", inherits: ["NSString"], [("NS.string", text)])
    }
    #expect(read.value == .text("x"))
  }

  @Test func `an archived UUID is its bytes`() throws {
    let bytes = (0..<16).map { UInt8($0) }
    let read = try read(.uuid) { $0.add("NSUUID", [("NS.uuidbytes", .data(bytes))]) }
    #expect(read.value == .blob(bytes))
  }

  @Test func `an archived URL is its text`() throws {
    let read = try read(.uri) {
      let text = $0.text("https://example.com")
      return $0.add("NSURL", [("NS.base", ArchiveBuilder.null), ("NS.relative", text)])
    }
    #expect(read.value == .text("https://example.com"))
  }

  @Test(arguments: [
    (UInt64(125), Int64(-1), false, 1, Value.real(12.5)), (42, 0, true, 1, .integer(-42)),
    (1, 3, false, 1, .real(1_000)), (UInt64.max, 0, false, 4, .real(18_446_744_073_709_551_616)),
  ])
  func `an archived decimal is mantissa times a power of ten`(
    _ mantissa: UInt64, _ exponent: Int64, _ isNegative: Bool, _ length: Int64, _ value: Value
  ) throws {
    let bytes = (0..<16).map { $0 < 8 ? UInt8(truncatingIfNeeded: mantissa >> ($0 * 8)) : 0 }
    let read = try read(.decimal) {
      $0.add(
        "NSDecimalNumber", inherits: ["NSNumber"],
        [
          ("NS.mantissa", .data(bytes)), ("NS.exponent", .integer(exponent)),
          ("NS.length", .integer(length)), ("NS.negative", .bool(isNegative)),
          ("NS.mantissa.bo", .integer(1)), ("NS.compact", .bool(true)),
        ])
    }
    #expect(read.value == value)
  }

  @Test(arguments: [
    (AttributeType.integer16, PropertyList.integer(70_000)), (.integer64, .real(0.5)),
    (.double, .string("x")), (.uuid, .string("x")), (.transformable, .data([1])),
    (.double, .real(.infinity)), (.string, .integer(1)),
  ])
  func `a default that does not fit is left out with a warning`(
    _ type: AttributeType, _ archived: PropertyList
  ) throws {
    let read = try read(type) { $0.add(archived) }
    #expect(read.value == .null)
    #expect(read.codes == ["MOD-105"])
  }
}
