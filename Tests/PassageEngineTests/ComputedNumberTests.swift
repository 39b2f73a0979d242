import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// Numbers that a migration makes, and that the type of their attribute cannot hold: counted where they are
/// written, alike in every lane, told, and refused where they may not be lost.
@Suite struct ComputedNumberTests {
  private static let source = Model(
    "1",
    [
      Entity(
        "Note",
        [
          .number("number"), Attribute(name: "short", type: .integer16),
          Attribute(name: "middle", type: .integer32), Attribute(name: "flag", type: .boolean),
          .text("list"),
        ])
    ])

  private static let destination = Model(
    "2",
    [
      Entity(
        "Note",
        [
          Attribute(name: "small", type: .integer16), Attribute(name: "half", type: .integer32),
          .number("whole"), Attribute(name: "sum", type: .integer32),
        ])
    ])

  private static func trial(
    _ mapping: String, policies: [any MigrationPolicy.Type] = []
  ) throws -> Trial {
    try Trial(source, destination, [PassageEngineTests.mapping(mapping)], policies: policies) {
      for number: Int64 in [0, 1, 3_276, 3_277, -3_277, 214_748_365, 5_000_000_000_000] {
        try $0.insert(
          "Note",
          [
            "number": .integer(number), "short": 32_767, "middle": 2_147_483_647, "flag": 1,
            "list": .text("7,\(number),70000"),
          ])
      }
      try $0.insert("Note", [:])
    }
  }

  private static func lost(_ report: MigrationReport) -> [String] {
    report.losses.filter { $0.reason == .narrowed }.map { "\($0.name) \($0.count ?? 0)" }
  }

  @Test func `computed numbers that do not fit are counted, told, and can be refused`() throws {
    let trial = try Self.trial(
      """
      {"type": "transform", "source": "Note", "destination": "Note", "attributes": {
        "small": "$source.number * 10", "half": "$source.number * 10",
        "whole": "$source.number * 4000000", "sum": "$source.short + $source.middle"}}
      """)
    let report = try trial.migrate().report
    #expect(Self.lost(report) == ["Note.half 2", "Note.small 4", "Note.sum 7", "Note.whole 1"])
    #expect(report.warnings.all.map(\.code).contains("RUN-088"))
    var options = MigrationOptions()
    options.allowed.losses = .only(["Note.list", "Note.flag", "Note.sum", "Note.whole"])
    let error = try trial.failure(to: "refused.sqlite", options: options)
    #expect(error.codes == ["RUN-083"] && error.kind == .valuesLost)
    #expect(error.diagnostics.all[0].reason?.contains("“Note.half” 2, “Note.small” 4") == true)
  }

  /// They stay floating-point numbers, as products of integers do. The largest integer is one that fits.
  @Test func `numbers beyond 64 bits are counted, whatever they are made from`() throws {
    let trial = try Trial(
      Model("1", [Entity("Note", [.real("real"), .text("text")])]),
      Model("2", [Entity("Note", [.number("sum"), .number("read"), .number("copied")])]),
      [
        mapping(
          """
          {"type": "transform", "source": "Note", "destination": "Note", "attributes": {
            "sum": "$source.real + 1", "read": "CAST($source.text, 'NSNumber')",
            "copied": "$source.real"}}
          """)
      ]
    ) { store in
      for (real, text) in [
        (1e19, "123456789012345678901234567890"), (-1e19, "9223372036854775807"),
        (-0x1p63, "-12.9"), (9.2e18, "9223372036854775808"), (1.5, "1e300"),
      ] {
        try store.insert("Note", ["real": .real(real), "text": .text(text)])
      }
      try store.insert("Note", [:])
    }
    let (contents, report) = try trial.migrate()
    #expect(Self.lost(report) == ["Note.copied 2", "Note.read 3", "Note.sum 2"])
    let notes = contents["Note"]
    let sums: [Value] = [
      .real(1e19), .real(-1e19), .integer(.min), .integer(9_200_000_000_000_000_000), 2, .null,
    ]
    #expect(notes.map { $0["sum"] } == sums)
    let numbers: [Value] = [
      .real(1.2345678901234568e29), .integer(.max), -12, .real(0x1p63), .real(1e300), .null,
    ]
    #expect(notes.map { $0["read"] } == numbers)
  }

  /// The types of the attributes tell it.
  @Test func `numbers that fit whatever the objects hold are not counted`() throws {
    let trial = try Self.trial(
      """
      {"type": "transform", "source": "Note", "destination": "Note", "attributes": {
        "small": "1 - $source.flag", "half": "$source.short * -1000 + 7",
        "whole": "$source.middle * 4000000000 - $source.short",
        "sum": "TERNARY($source.flag == 1, $source.middle, -5)"}}
      """)
    #expect(try Self.lost(trial.migrate().report) == [])
  }

  /// A list's elements are texts; what becomes one object has the numbers of one of them.
  @Test func `numbers of elements and of merged objects are counted once, as they are kept`() throws
  {
    let elements = try Self.trial(
      """
      {"type": "transform", "source": "Note", "destination": "Note",
       "forEach": "split($source.list, ',')",
       "attributes": {"small": "CAST($element, 'NSNumber')", "half": "$source.number"}}
      """)
    // Of 7 lists, each last element, and 3 numbers in the middle.
    #expect(
      try Self.lost(elements.migrate().report) == ["Note.half 3", "Note.small 9"])
    let merged = try Self.trial(
      """
      {"type": "transform", "source": "Note", "destination": "Note", "mergeBy": "$source.short",
       "attributes": {"small": {"value": "$source.number", "combine": "max"},
                      "half": {"value": "$source.number", "combine": "min"},
                      "sum": "$source.number"}}
      """)
    #expect(try Self.lost(merged.migrate().report) == ["Note.small 1"])
  }

  /// In the result it cannot be seen any more, so it is counted in the objects that become one.
  @Test func `numbers that a floating-point number is not are counted in merged objects too`()
    throws
  {
    let trial = try Trial(
      Self.source, Model("2", [Entity("Note", [.real("exact")])]),
      [
        mapping(
          """
          {"type": "transform", "source": "Note", "destination": "Note",
           "mergeBy": "$source.short", "attributes": {"exact": "$source.number"}}
          """)
      ]
    ) {
      try $0.insert("Note", ["number": 9_007_199_254_740_993, "short": 1])
      try $0.insert("Note", ["number": 9_007_199_254_740_992, "short": 2])
    }
    #expect(try Self.lost(trial.migrate().report) == ["Note.exact 1"])
  }

  @Test func `a policy cannot set such a number, and what its mapping copies is counted`() throws {
    func trial(_ filter: String) throws -> Trial {
      try Self.trial(
        """
        {"type": "custom", "source": "Note", "destination": "Note", "filter": "\(filter)",
         "policy": "SetsLargeNumbers", "attributes": {"half": "$source.number"}}
        """, policies: [SetsLargeNumbers.self])
    }
    #expect(try Self.lost(trial("number != 1").migrate().report) == ["Note.half 1"])
    let error = try trial("number >= 0").failure(to: "new.sqlite")
    #expect(error.kind == .policyFailed)
    #expect(
      "\(error)".contains("is of type integer16 and holds no number below -32768 or above 32767"))
  }
}

/// Sets the largest number that an attribute can hold, and a larger one for one object.
private final class SetsLargeNumbers: MigrationPolicy {
  static let name = "SetsLargeNumbers"
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]
  static let needs: Set<MigrationContext.Need> = []

  init(mapping: PolicyMapping) {}

  func createDestinationInstances(
    for source: SourceObject, in context: MigrationContext
  ) throws {
    var note = try context.defaultDestination(for: source)
    try note.set("small", to: source["number"] == 1 ? .integer(32_768) : 32_767)
    try context.insert(note, for: source)
  }
}
