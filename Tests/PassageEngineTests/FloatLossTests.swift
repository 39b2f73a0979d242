import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// Numbers that a Float or a Decimal cannot hold: counted, alike in every lane, and refused where they may
/// not be lost. Those at the limits, and fractions, are not.
@Suite struct FloatLossTests {
  private static let largest = Double(Float.greatestFiniteMagnitude)

  private static let source = Model(
    "1",
    [
      Entity(
        "Note",
        [
          Attribute(name: "short", type: .integer16), Attribute(name: "middle", type: .integer32),
          .number("long"), .real("real"), Attribute(name: "single", type: .float),
          Attribute(name: "price", type: .decimal),
        ])
    ])

  private static let destination = Model(
    "2",
    [
      Entity(
        "Note",
        [
          Attribute(name: "a", type: .float), Attribute(name: "b", type: .float),
          Attribute(name: "c", type: .float), Attribute(name: "d", type: .decimal),
          .real("e"),
        ])
    ])

  private static func trial(
    _ mapping: String, policies: [any MigrationPolicy.Type] = []
  ) throws -> Trial {
    try Trial(source, destination, [PassageEngineTests.mapping(mapping)], policies: policies) {
      let integers: [(middle: Int64, long: Int64)] = [
        (16_777_216, 16_777_216), (-16_777_217, 16_777_217), (16_777_218, -16_777_217),
        (2_147_483_647, .max), (-2_147_483_648, .min), (33_554_434, 33_554_434), (33_554_436, 0),
      ]
      for (middle, long) in integers {
        try $0.insert(
          "Note", ["short": 32_767, "middle": .integer(middle), "long": .integer(long)])
      }
      let reals = [
        largest, -largest, largest.nextUp, -largest.nextUp, -1e39, 1e165, 1e165.nextUp, 1e300,
        -1e300, 0.1, .infinity, -.infinity,
      ]
      for number in reals {
        try $0.insert("Note", ["real": .real(number), "single": 0.5, "price": .real(number)])
      }
      try $0.insert("Note", [:])
    }
  }

  private static func lost(_ report: MigrationReport) -> [String] {
    report.losses.filter { $0.reason == .narrowed }.map { "\($0.name) \($0.count ?? 0)" }.sorted()
  }

  @Test func `copied numbers that a Float or a Decimal is not are counted`() throws {
    let whole = try Self.trial(
      """
      {"type": "transform", "source": "Note", "destination": "Note", "attributes": {
        "a": "$source.middle", "b": "$source.long", "c": "$source.short", "d": "$source.long"}}
      """)
    #expect(try Self.lost(whole.migrate().report) == ["Note.a 3", "Note.b 4"])
    let reals = try Self.trial(
      """
      {"type": "transform", "source": "Note", "destination": "Note", "attributes": {
        "a": "$source.real", "b": "$source.single", "c": "$source.price", "d": "$source.real",
        "e": "$source.price"}}
      """)
    let report = try reals.migrate().report
    #expect(Self.lost(report) == ["Note.a 7", "Note.c 7", "Note.d 3"])
    #expect(report.warnings.all.map(\.code).contains("RUN-088"))
    var options = MigrationOptions()
    options.allowed.losses = .only(["Note.middle", "Note.long", "Note.short", "Note.a", "Note.c"])
    let error = try reals.failure(to: "refused.sqlite", options: options)
    #expect(error.codes == ["RUN-083"] && error.kind == .valuesLost)
    #expect(error.diagnostics.all[0].reason?.contains("“Note.d” 3") == true)
  }

  @Test func `computed numbers beyond the largest Float or Decimal are counted`() throws {
    let trial = try Self.trial(
      """
      {"type": "transform", "source": "Note", "destination": "Note", "attributes": {
        "a": "$source.real * 1", "b": "CAST('1e39', 'NSNumber')", "c": "$source.real / 2",
        "d": "$source.real + 0", "e": "$source.real * 2"}}
      """)
    // Halves of the two numbers next to the largest are Floats.
    #expect(
      try Self.lost(trial.migrate().report) == ["Note.a 7", "Note.b 20", "Note.c 5", "Note.d 3"])
  }

  /// Whole numbers that the cell of a decimal has are counted as those of an integer; others are
  /// floating-point numbers of 64 bits already.
  @Test func `whole numbers of a decimal that a Double or a Float is not are counted`() throws {
    let source = Model("1", [Entity("Note", [Attribute(name: "price", type: .decimal)])])
    let destination = Model(
      "2", [Entity("Note", [.real("real"), Attribute(name: "single", type: .float)])])
    let trial = try Trial(
      source, destination,
      [
        PassageEngineTests.mapping(
          """
          {"type": "transform", "source": "Note", "destination": "Note", "attributes": {
            "real": "$source.price", "single": "$source.price"}}
          """)
      ]
    ) { store in
      let prices: [Value] = [
        16_777_216, 16_777_217, 9_007_199_254_740_992, 9_007_199_254_740_993,
        9_007_199_254_740_994, 12_345_678_901_234_567, .integer(.max), .integer(.min), 0, .null,
        0.1, 1e20, 1e39, .real(.infinity),
      ]
      for price in prices { try store.insert("Note", ["price": price]) }
    }
    for (number, options) in Trial.ways.enumerated() {
      let report = try trial.run(to: "new-\(number).sqlite", options: options)
      #expect(Self.lost(report) == ["Note.real 3", "Note.single 6"])
    }
  }

  @Test func `sums and averages are no copies of numbers`() throws {
    let trial = try Self.trial(
      """
      {"type": "transform", "source": "Note", "destination": "Note", "mergeBy": "$source.short",
       "attributes": {"a": {"value": "$source.long", "combine": "average"},
                      "b": {"value": "$source.long", "combine": "sum"},
                      "e": {"value": "$source.long", "combine": "average"}}}
      """)
    #expect(try Self.lost(trial.migrate().report) == [])
    let copied = try Self.trial(
      """
      {"type": "transform", "source": "Note", "destination": "Note", "mergeBy": "$source.short",
       "attributes": {"e": {"value": "$source.long", "combine": "max"}}}
      """)
    #expect(try Self.lost(copied.migrate().report) == ["Note.e 1"])
  }

  @Test func `numbers that fit whatever the objects hold are not counted`() throws {
    let trial = try Self.trial(
      """
      {"type": "transform", "source": "Note", "destination": "Note", "attributes": {
        "a": "$source.short * 3 + 0.5", "b": "$source.single / 2", "c": "$source.long * 2",
        "d": "$source.single * 2", "e": "$source.real * 2"}}
      """)
    #expect(try Self.lost(trial.migrate().report) == [])
  }

  @Test func `numbers of objects that become one are counted as they are kept`() throws {
    let trial = try Self.trial(
      """
      {"type": "transform", "source": "Note", "destination": "Note", "mergeBy": "$source.single",
       "attributes": {"a": {"value": "$source.real", "combine": "max"}, "b": "$source.real",
                      "c": {"value": "$source.single", "combine": "sum"}}}
      """)
    // The largest is infinite. Of the objects that become one, the first is kept.
    #expect(try Self.lost(trial.migrate().report) == [])
    let least = try Self.trial(
      """
      {"type": "transform", "source": "Note", "destination": "Note", "filter": "real > 1e38",
       "mergeBy": "$source.single",
       "attributes": {"a": {"value": "-$source.real", "combine": "max"}, "b": "$source.real * 2"}}
      """)
    #expect(try Self.lost(least.migrate().report) == ["Note.b 1"])
  }

  @Test(arguments: [("a", 1e39), ("a", -1e300), ("d", 1e200)])
  func `a policy cannot set such a number`(attribute: String, number: Double) throws {
    let trial = try Self.trial(
      """
      {"type": "custom", "source": "Note", "destination": "Note",
       "policy": {"name": "SetsReals", "userInfo":
        {"attribute": "\(attribute)", "number": "\(number)"}}, "attributes": {}}
      """, policies: [SetsReals.self])
    let error = try trial.failure(to: "new.sqlite")
    #expect(error.kind == .policyFailed)
    #expect("\(error)".contains("holds no finite number below"))
  }

  @Test(arguments: [("a", "inf"), ("a", "1e38"), ("d", "1e165"), ("e", "1e300")])
  func `a policy sets the numbers that fit`(attribute: String, number: String) throws {
    let trial = try Self.trial(
      """
      {"type": "custom", "source": "Note", "destination": "Note",
       "policy": {"name": "SetsReals", "userInfo":
        {"attribute": "\(attribute)", "number": "\(number)"}}, "attributes": {}}
      """, policies: [SetsReals.self])
    #expect(try Self.lost(trial.migrate().report) == [])
  }
}

/// Sets a number.
private final class SetsReals: MigrationPolicy {
  static let name = "SetsReals"
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]
  static let needs: Set<MigrationContext.Need> = []

  private let attribute: String
  private let number: Double

  init(mapping: PolicyMapping) {
    attribute = mapping.userInfo["attribute"] ?? ""
    number = Double(mapping.userInfo["number"] ?? "") ?? 0
  }

  func createDestinationInstances(
    for source: SourceObject, in context: MigrationContext
  ) throws {
    var note = try context.defaultDestination(for: source)
    try note.set(attribute, to: .real(number))
    try context.insert(note, for: source)
  }
}
