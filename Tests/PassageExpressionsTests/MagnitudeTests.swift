import PassageExpressions
import PassageModels
import Testing

/// How large a value may be is known from the types of the attributes of which it is made.
@Suite struct MagnitudeTests {
  private static let scope = BindingScope.value(
    model: Model(name: "Ratings", entities: [song]), entity: song)
  private static let song = Entity(
    name: "Song",
    attributes: [
      Attribute(name: "short", type: .integer16), Attribute(name: "flag", type: .boolean),
      Attribute(name: "single", type: .float), Attribute(name: "real", type: .double),
      Attribute(name: "price", type: .decimal), Attribute(name: "title", type: .string),
    ])

  @Test(arguments: [
    ("$source.short", 32_768.0), ("$source.short * 2 + 0.5", 65_536.5), ("-0.5", 0.5),
    ("$source.flag", 1.0), ("$source.single", Double(Float.greatestFiniteMagnitude)),
    ("abs($source.short) / 2", 32_768.0), ("floor($source.short + 0.5)", 32_769.5),
    ("TERNARY($source.flag == 1, $source.short, 1e6)", 1e6), ("$source.price", 1e165),
    ("length($source.title) + 0.5", 0x1p63),
  ])
  func `what is bounded has a largest magnitude`(text: String, magnitude: Double) throws {
    let value = try Binder.expression(FormatParser.expression(text), in: Self.scope)
    #expect(value.largestMagnitude == magnitude)
  }

  @Test(arguments: [
    "$source.real", "$source.single / 0.5", "$source.short ** 2.5",
    "CAST($source.title, 'NSNumber')", "$source.title",
  ])
  func `what may be any number has none`(text: String) throws {
    let value = try Binder.expression(FormatParser.expression(text), in: Self.scope)
    #expect(value.largestMagnitude == nil)
  }
}
