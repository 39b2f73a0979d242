import Foundation
import PassageDiagnostics
import PassageModels
import Testing

/// Version hashes that no confirmed rule gives: where they come from, and what is said of them.
struct RecordedHashTests {
  private static let recorded = [UInt8](repeating: 7, count: 32)

  private func model(_ change: (inout Entity) -> Void) -> Model {
    var entity = Entity(
      name: "E",
      attributes: [
        Attribute(name: "a", type: .string), Attribute(name: "b", type: .binary),
      ])
    change(&entity)
    return Model(name: "M", entities: [entity, Entity(name: "Child", parentName: "E")])
  }

  /// Every shape whose hash rests on a rule that no store at hand confirms.
  private static let unproved: [@Sendable (inout Entity) -> Void] = [
    { $0.uniquenessConstraints = [["a"], ["b"]] },
    { $0.attributes[0].type = .objectID },
    {
      $0.attributes[0].type = .composite
      $0.attributes[0].elements = [Attribute(name: "x", type: .string)]
    },
    { $0.attributes[0].derivation = "canonical:(b)" },
    { $0.attributes[0].derivation = "sum:(b)" },
    { $0.attributes[0].derivation = "f:g:(a, b)" },
    { $0.attributes[0].derivation = "" },
    {
      $0.attributes[0].derivation = "count:(b)"
      $0.attributes[0].derivationFilter = "TRUEPREDICATE"
    },
    {
      $0.attributes[0].derivation = "count:(b)"
      $0.attributes[0].versionHashModifier = "m"
    },
    {
      $0.attributes[1].allowsExternalBinaryDataStorage = true
      $0.attributes[1].preservesValueOnDeletion = true
    },
    { $0.attributes[0].name = "größe" },
  ]

  /// Shapes that stores written by Core Data confirm.
  private static let proved: [@Sendable (inout Entity) -> Void] = [
    { _ in }, { $0.uniquenessConstraints = [["a", "b"]] },
    { $0.attributes[0].derivation = "count:(b)" }, { $0.attributes[0].derivation = "b.c" },
    { $0.attributes[0].derivation = "now()" },
    { $0.attributes[1].allowsExternalBinaryDataStorage = true },
    {
      $0.attributes[0].type = .composite
      $0.attributes[0].isTransient = true
    },
  ]

  @Test(arguments: unproved.indices)
  func `an unproved hash gives way to the recorded one`(_ index: Int) {
    let plain = model(Self.unproved[index])
    #expect(plain.entitiesWithUnprovedHash == ["Child", "E"])
    let read = plain.recording(["E": Self.recorded, "Child": Self.recorded, "Other": []])
    #expect(read.entities.map { read.hashOrigin(of: $0) } == [.recorded, .recorded])
    #expect(read.versionHashes == ["E": Self.recorded, "Child": Self.recorded])
    #expect(read.entitiesWithUnprovedHash.isEmpty)
    #expect(read.versionHashesDigest == Model.versionHashesDigest(of: read.versionHashes))
  }

  @Test(arguments: proved.indices)
  func `a proved hash is computed whatever is recorded`(_ index: Int) {
    let plain = model(Self.proved[index])
    #expect(plain.entitiesWithUnprovedHash.isEmpty)
    let read = plain.recording(["E": Self.recorded])
    #expect(read == plain)
    #expect(plain.entities.allSatisfy { plain.hashOrigin(of: $0) == .computed })
  }

  /// A child's hash holds its parent's and the inherited properties.
  @Test func `a child of an unproved entity is unproved too`() {
    let plain = model(Self.unproved[0])
    let read = plain.recording(["E": Self.recorded])
    #expect(read.entitiesWithUnprovedHash == ["Child"])
    #expect(read.versionHashes["Child"] != plain.versionHashes["Child"])
  }

  @Test func `a hash of another length is not recorded`() {
    let plain = model(Self.unproved[0])
    #expect(plain.recording(["E": [1, 2, 3]]) == plain)
  }

  @Test func `hashes are adopted from an entity of the same shape only`() {
    let plain = model(Self.unproved[0])
    let twin = plain.recording(["E": Self.recorded])
    let (adopting, names) = plain.adoptingHashes(of: twin)
    #expect(names == ["E"])
    #expect(adopting.versionHashes["E"] == Self.recorded)
    let other = model {
      Self.unproved[0](&$0)
      $0.attributes.append(Attribute(name: "c", type: .string))
    }.recording(["E": Self.recorded])
    #expect(plain.adoptingHashes(of: other).entityNames.isEmpty)
    // What has no part in a hash may differ.
    let renamed = model {
      Self.unproved[0](&$0)
      $0.className = "Other"
    }.recording(["E": Self.recorded])
    #expect(plain.adoptingHashes(of: renamed).entityNames == ["E"])
  }

  @Test func `a recorded hash survives JSON`() throws {
    let read = model(Self.unproved[0]).recording(["E": Self.recorded])
    let text = ModelDocument.encode(read)
    #expect(text.contains("\"versionHash\": \"\(Data(Self.recorded).base64EncodedString())\""))
    #expect(try ModelDocument.decode(Array(text.utf8), file: "m.json") == read)
  }

  private func findings(_ versionHash: String) -> [Diagnostic] {
    let text = """
      { "name": "M",
        "entities": [ { "name": "E", "attributes": [ { "name": "a", "type": "string" } ],
                        "versionHash": "\(versionHash)" } ] }
      """
    do {
      return try ModelDocument.read(Array(text.utf8), file: "m.json").remarks.all
    } catch {
      return error.all
    }
  }

  @Test func `a recorded hash that contradicts a computed one is an error at its place`() throws {
    let found = findings(Data(Self.recorded).base64EncodedString())
    #expect(found.map(\.code) == ["MOD-044"])
    #expect(found.first?.location?.line == 3)
    let right = Model(
      name: "M", entities: [Entity(name: "E", attributes: [Attribute(name: "a", type: .string)])])
    let hash = try #require(right.versionHashes["E"])
    #expect(findings(Data(hash).base64EncodedString()).isEmpty)
  }

  @Test(arguments: ["", "AAAA", "no base64"])
  func `text that is not a hash is an error`(_ text: String) {
    #expect(findings(text).map(\.code) == ["MOD-002"])
  }
}
