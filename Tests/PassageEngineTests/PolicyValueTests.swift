import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// Values of a policy that an attribute cannot hold: refused for their object, alike in every lane.
@Suite struct PolicyValueTests {
  private static let source = Model("1", [Entity("Note", [.number("number")])])

  private static let destination = Model(
    "2",
    [
      Entity(
        "Note",
        [
          Attribute(name: "stars", type: .integer16), .real("share", isOptional: false, .real(0)),
          .date("day"), Attribute(name: "price", type: .decimal),
        ])
    ])

  private static func trial(
    _ policy: any MigrationPolicy.Type, _ userInfo: String, attributes: String = ""
  ) throws -> Trial {
    try Trial(
      source, destination,
      [
        mapping(
          """
          {"name": "Notes", "type": "custom", "source": "Note", "destination": "Note",
           "policy": {"name": "\(policy.name)", "userInfo": \(userInfo)},
           "attributes": {\(attributes)}}
          """)
      ], policies: [policy]
    ) {
      for number: Int64 in 1...3 { try $0.insert("Note", ["number": .integer(number)]) }
    }
  }

  private static func options(_ lane: MigrationOptions.Lane) -> MigrationOptions {
    var options = MigrationOptions()
    options.lane = lane
    return options
  }

  @Test(arguments: ["stars", "share", "day", "price"], [MigrationOptions.Lane.row, .page])
  func `a policy cannot set what is not a number`(
    name: String, lane: MigrationOptions.Lane
  ) throws {
    let trial = try Self.trial(SetsNotANumber.self, #"{"attribute": "\#(name)"}"#)
    let error = try trial.failure(options: Self.options(lane))
    #expect(error.kind == .policyFailed && error.codes == ["RUN-041"])
    let text = "\(error)"
    #expect(text.contains("the value for “Note.\(name)” is not a number"), "\(text)")
    #expect(text.contains("for the object with key 2"), "\(text)")
  }
}

/// Sets NaN for the second object.
private final class SetsNotANumber: MigrationPolicy {
  static let name = "SetsNotANumber"
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]
  static let needs: Set<MigrationContext.Need> = []

  private let attribute: String

  init(mapping: PolicyMapping) { attribute = mapping.userInfo["attribute"] ?? "" }

  func createDestinationInstances(
    for source: SourceObject, in context: MigrationContext
  ) throws {
    var note = try context.defaultDestination(for: source)
    if source.key == 2 { try note.set(attribute, to: .real(.nan)) }
    try context.insert(note, for: source)
  }
}
