import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// Composite attributes: nobody knows the columns of their elements, so their stores are refused.
@Suite struct CompositeAttributeTests {
  private static let size = Attribute(
    name: "size", type: .composite, elements: [Attribute(name: "width", type: .double)])

  private static let hash = [UInt8](repeating: 7, count: 32)

  /// A name outside ASCII has a hash that is recorded, so that models of several shapes fit one store.
  private static func model(_ name: String, _ attributes: [Attribute]) -> Model {
    Model(name, [Entity("Note", [.text("größe")] + attributes)]).recording(["Note": hash])
  }

  private static func refusal(_ mapping: MappingModel, in trial: Trial) throws -> MigrationError {
    let migration = StoreMigration(
      storePath: trial.sourcePath, destination: .file(trial.directory.path("new.sqlite")),
      source: nil, destinationModel: nil,
      models: ["1": model("1", [size]), "2": trial.destination], mappings: [mapping],
      policies: PolicyRegistry(), options: MigrationOptions())
    return try #require(throws: MigrationError.self) { try migration.run(control: RunControl()) }
  }

  @Test func `a destination with one is refused before anything is written`() throws {
    let copy = try mapping(#"{"type": "copy", "source": "Note", "destination": "Note"}"#)
    let trial = try Trial(
      Model("1", [Entity("Note", [.text("text")])]),
      Model("2", [Entity("Note", [.text("text"), Self.size])]), [copy])
    let error = try trial.failure()
    #expect(error.codes == ["STO-205"])
    #expect(trial.directory.names.filter { !$0.hasPrefix("old.sqlite") } == [])
  }

  @Test func `a source with one is refused for what cannot be read of it`() throws {
    let copy = try mapping(#"{"type": "copy", "source": "Note", "destination": "Note"}"#)
    let trial = try Trial(
      Self.model("1", []), Model("2", [Entity("Note", [.text("größe"), .real("width")])]), [copy])
    let error = try Self.refusal(copy, in: trial)
    #expect(error.codes == ["STO-208"])
    #expect(error.kind == .wrongFile)
    #expect(
      "\(error)".contains("Note.size is a composite attribute: no store of “1” can be migrated"))
    #expect(!"\(error)".contains("policy"))
    #expect(trial.directory.names.filter { !$0.hasPrefix("old.sqlite") } == [])
  }

  @Test(arguments: [
    #""filter": "SELF.size.width > 1""#, #""attributes": {"width": "$source.size.width"}"#,
  ])
  func `no expression reads one, and no policy is proposed for it`(member: String) throws {
    let transform = try mapping(
      #"{"type": "transform", "source": "Note", "destination": "Note", \#(member)}"#)
    let trial = try Trial(
      Self.model("1", []), Model("2", [Entity("Note", [.text("größe"), .real("width")])]), [])
    let error = try Self.refusal(transform, in: trial)
    #expect(error.codes == ["PRE-018"])
    #expect(error.diagnostics.all.first?.remedy?.contains("policy") == false)
  }
}
