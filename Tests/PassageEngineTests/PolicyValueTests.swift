import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// Values of a policy that an attribute cannot hold: refused for their object, alike in every lane.
@Suite struct PolicyValueTests {
  private static let source = Model("1", [Entity("Note", [.number("number"), .number("nothing")])])

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

  // MARK: Functions

  private static let call = "FUNCTION($entityPolicy, 'valueOf:', $source)"

  @Test(arguments: ["text", "bytes", "fraction", "nan"], [MigrationOptions.Lane.set, .row, .page])
  func `what a function returns must fit its attribute`(
    kind: String, lane: MigrationOptions.Lane
  ) throws {
    let trial = try Self.trial(
      ReturnsAnything.self, #"{"kind": "\#(kind)"}"#, attributes: #""stars": "\#(Self.call)""#)
    var options = Self.options(lane)
    let error = try trial.failure(options: options)
    #expect(error.kind == .policyFailed && error.codes == ["RUN-042"])
    let text = "\(error)"
    #expect(text.contains("PRE-042") && text.contains("“valueOf:”"), "\(text)")
    #expect(text.contains("for the object with key 2"), "\(text)")
    #expect(
      text.contains(kind == "nan" ? "is not a number" : "“Note.stars” is of type integer16"),
      "\(text)")
    options.allowed.quarantined = 1
    let report = try trial.run(to: "quarantined.sqlite", options: options)
    #expect(report.steps[0].mappings.map(\.quarantined) == [1])
    #expect(report.steps[0].mappings.map(\.migrated) == [2])
  }

  @Test(arguments: [MigrationOptions.Lane.row, .page])
  func `it must fit where the policy makes the objects too`(lane: MigrationOptions.Lane) throws {
    let trial = try Self.trial(
      ReturnsAnythingItself.self, #"{"kind": "text"}"#, attributes: #""stars": "\#(Self.call)""#)
    let error = try trial.failure(options: Self.options(lane))
    #expect(error.codes == ["RUN-041"])
    let text = "\(error)"
    #expect(text.contains("PRE-042") && text.contains("for the object with key 2"), "\(text)")
  }

  @Test(arguments: [
    #"{"value": "TERNARY($source.number > 0, CALL, 1)"}"#,
    #"{"value": "$source.nothing", "default": "CALL"}"#,
  ])
  func `it must fit as a part of a condition and as a default`(property: String) throws {
    let trial = try Self.trial(
      ReturnsAnything.self, #"{"kind": "text"}"#,
      attributes: #""stars": \#(property.replacing("CALL", with: Self.call))"#)
    let error = try trial.failure()
    #expect(error.codes == ["RUN-042"])
    #expect("\(error)".contains("PRE-042"))
  }

  @Test func `a number that is too large for the attribute is counted`() throws {
    let trial = try Self.trial(
      ReturnsAnything.self, #"{"kind": "large"}"#, attributes: #""stars": "\#(Self.call)""#)
    let losses = try trial.migrate().report.losses.filter { $0.reason == .narrowed }
    #expect(losses.map { "\($0.name) \($0.count ?? 0)" } == ["Note.stars 1"])
  }

  @Test func `what fits is stored, and so is nil`() throws {
    let trial = try Self.trial(
      ReturnsAnything.self, #"{"kind": "nil"}"#, attributes: #""stars": "\#(Self.call)""#)
    let notes = try trial.migrate().contents["Note"]
    #expect(notes.map { $0["stars"] } == [3, .null, 3])
  }
}

/// Returns a value of some kind for the second object.
private func value(_ kind: String, of arguments: [PolicyArgument]) -> Value {
  guard case .object(let source)? = arguments.first, source.key == 2 else { return 3 }
  return switch kind {
  case "text": "three"
  case "bytes": .blob([3])
  case "fraction": .real(3.5)
  case "nan": .real(.nan)
  case "large": 70_000
  default: .null
  }
}

/// Has a function, and leaves the objects to the mapping.
private final class ReturnsAnything: MigrationPolicy {
  static let name = "ReturnsAnything"
  static let hooks: Set<MigrationHook> = []
  static let needs: Set<MigrationContext.Need> = []

  private let kind: String

  init(mapping: PolicyMapping) { kind = mapping.userInfo["kind"] ?? "" }

  var functions: [String: PolicyFunction] {
    ["valueOf:": { [kind] arguments in value(kind, of: arguments) }]
  }
}

/// Has the function, and makes the objects.
private final class ReturnsAnythingItself: MigrationPolicy {
  static let name = "ReturnsAnythingItself"
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]
  static let needs: Set<MigrationContext.Need> = []

  private let kind: String

  init(mapping: PolicyMapping) { kind = mapping.userInfo["kind"] ?? "" }

  var functions: [String: PolicyFunction] {
    ["valueOf:": { [kind] arguments in value(kind, of: arguments) }]
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
