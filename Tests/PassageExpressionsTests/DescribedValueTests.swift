import PassageValues
import Testing

/// A value is described as Swift describes a type that says nothing of itself: digests that are recorded
/// in stores are made of it.
@Suite struct DescribedValueTests {
  /// The same cases, without a description of their own.
  private enum Plain {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    case malformedText([UInt8])

    init(_ value: Value) {
      self =
        switch value {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let text): .text(text)
        case .blob(let bytes): .blob(bytes)
        case .malformedText(let bytes): .malformedText(bytes)
        }
    }
  }

  @Test(
    arguments: [
      .null, .integer(0), .integer(.min), .integer(.max), .real(0), .real(-0.0), .real(1),
      .real(0.1), .real(1e300), .real(-.infinity), .real(.nan), .text(""), .text("a"),
      .text("a \"b\" \\ \n\t\0 é 👩‍👩‍👧 \u{301}"), .blob([]), .blob([0, 7, 255]), .malformedText([0xC3]),
    ] as [Value])
  func `a value is described by its case and what it holds`(value: Value) {
    #expect(value.debugDescription == "\(Plain(value))")
    #expect("\(value)" == "\(Plain(value))")
  }
}
