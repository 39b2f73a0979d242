import PassageDiagnostics
import PassageEngine
import PassageProjects
import Testing

@testable import PassageChecking

/// A policy that says nothing about its revision.
private struct Unrevised: MigrationPolicy {
  init(mapping: PolicyMapping) throws {}
}

/// A policy that does.
private struct Revised: MigrationPolicy {
  static let revision = "1"
  init(mapping: PolicyMapping) throws {}
}

/// A policy that remembers something from object to object.
private struct Ordered: MigrationPolicy {
  static let revision = "1"
  static let needs: Set<MigrationContext.Need> = [.order]
  init(mapping: PolicyMapping) throws {}
}

/// A policy that makes each object of its source object alone.
private struct Unordered: MigrationPolicy {
  static let revision = "1"
  static let needs: Set<MigrationContext.Need> = [.furtherObjects]
  init(mapping: PolicyMapping) throws {}
}

/// A policy that needs everything, but is never called for an object.
private struct Validating: MigrationPolicy {
  static let revision = "1"
  static let hooks: Set<MigrationHook> = [.performCustomValidation]
  init(mapping: PolicyMapping) throws {}
}

/// What a check finds in what policies declare.
struct PolicyRuleTests {
  private static func custom(_ policy: String) throws -> CheckedFolder {
    try CheckedFolder(
      mappings: [
        "M": CheckedFolder.mapping(
          #"{ "type": "custom", "source": "Note", "destination": "Note","# + "\n"
            + #""policy": "\#(policy)" }"#)
      ])
  }

  @Test func `a policy without a revision is found where it is named`() throws {
    let place = ["Mappings/M.json:3:11"]
    #expect(try Self.custom("Unrevised").places(of: "CHK-005", [Unrevised.self]) == place)
    #expect(try Self.custom("Revised").places(of: "CHK-005", [Revised.self]) == [])
  }

  @Test(arguments: [
    ("Ordered", Diagnostic.Severity.warning, "relies on"), ("Revised", .note, "may rely on"),
  ])
  func `a policy that needs an order is found, and one that may need it is noted`(
    name: String, level: Diagnostic.Severity, words: String
  ) throws {
    let findings = try Self.custom(name).check([Ordered.self, Revised.self]).findings
    let found = try #require(findings.first { $0.code == "CHK-004" })
    #expect(found.diagnostic.severity == level)
    #expect(
      found.diagnostic.message == "the policy “\(name)” \(words) the order of its objects")
    #expect(found.diagnostic.location?.line == 3 && found.diagnostic.location?.column == 11)
    #expect(found.places[.entity] == "Note" && found.places[.mapping] == "M")
  }

  @Test(arguments: ["Unordered", "Validating"])
  func `a policy that needs no order of objects is not found`(name: String) throws {
    let policies: [any MigrationPolicy.Type] = [Unordered.self, Validating.self]
    #expect(try Self.custom(name).places(of: "CHK-004", policies) == [])
  }
}
