import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// Objects that are found by a key, and made while another one is.
@Suite struct SharedObjectTests {
  /// Makes a city while it makes a city: another one, or the same.
  private struct Twins: MigrationPolicy {
    let isSame: Bool
    init(mapping: PolicyMapping) { isSame = mapping.userInfo["isSame"] == "true" }

    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      try context.insert(context.defaultDestination(for: source), for: source)
      let name = source["city"] ?? .null
      try context.findOrInsert("City", key: [name], for: source) { city in
        try city.set("name", to: name)
        try context.findOrInsert("City", key: isSame ? [name] : [name, 2], for: source) {
          try $0.set("name", to: .text("twin"))
        }
      }
    }
  }

  @Test func `a shared object is made while another one is`() throws {
    let (found, _) = try PolicyTests.trial("Twins", [Twins.self]).migrate()
    let names = found["City"].map { $0["name"].string ?? "" }
    #expect(names.sorted() == ["Oslo", "Rome", "twin", "twin"])
  }

  @Test func `a shared object that asks for itself is told as a mistake of the policy`() throws {
    let trial = try PolicyTests.trial("Twins", [Twins.self], userInfo: #"{"isSame": "true"}"#)
    let error = try trial.failure()
    #expect(error.codes == ["RUN-041"] && error.kind == .policyFailed)
    let reason = try #require(error.diagnostics.all.first?.reason)
    #expect(reason.hasPrefix("the “make” of findOrInsert(_:key:for:make:) asks for the “City”"))
    // The key is a value, and is not told.
    #expect(!"\(error)".contains("Rome"))
  }
}
