import Foundation
import PassageDiagnostics
import PassageModels
import TestSupport
import Testing

/// The schema that editors complete from and the decoder that reads must know the same words.
struct SchemaAgreementTests {
  private static let path = Repository.file("Migrations/Schemas/model.schema.json")

  private func node(_ names: String...) throws -> JSONNode {
    let bytes = Array(try Data(contentsOf: URL(filePath: Self.path)))
    var node = try JSONParser.parse(bytes, file: Self.path)
    for name in names {
      guard case .object(let members) = node.kind else { break }
      node = try #require(members.first { $0.name == name }?.value, "no member \(name)")
    }
    return node
  }

  private func memberNames(_ node: JSONNode) -> Set<String> {
    guard case .object(let members) = node.kind else { return [] }
    return Set(members.map(\.name)).subtracting(["$schema"])
  }

  private func strings(_ node: JSONNode) -> [String] {
    guard case .array(let elements) = node.kind else { return [] }
    return elements.compactMap { if case .string(let text) = $0.kind { text } else { nil } }
  }

  @Test(arguments: [
    ("model", ModelDocument.modelMembers), ("entity", ModelDocument.entityMembers),
    ("attribute", ModelDocument.attributeMembers),
    ("relationship", ModelDocument.relationshipMembers), ("index", ModelDocument.indexMembers),
    ("indexElement", ModelDocument.indexElementMembers),
    ("fetchedProperty", ModelDocument.fetchedPropertyMembers),
    ("fetchRequest", ModelDocument.fetchRequestMembers),
    ("configuration", ModelDocument.configurationMembers),
  ])
  func `schema and decoder know the same members`(_ definition: String, _ known: [String]) throws {
    #expect(memberNames(try node("$defs", definition, "properties")) == Set(known))
  }

  @Test func `schema and decoder know the same words`() throws {
    #expect(
      strings(try node("$defs", "attribute", "properties", "type", "enum"))
        == AttributeType.allCases.map(\.name))
    #expect(
      strings(try node("$defs", "relationship", "properties", "deleteRule", "enum"))
        == Relationship.DeleteRule.allCases.map(\.name))
    #expect(
      strings(try node("$defs", "indexElement", "properties", "kind", "enum"))
        == [Entity.Index.Kind.binary.rawValue, Entity.Index.Kind.rtree.rawValue])
  }

  @Test(arguments: [
    ("model", ["name", "entities"]), ("entity", ["name"]), ("attribute", ["name", "type"]),
    ("relationship", ["name", "destination"]), ("index", ["name", "elements"]),
    ("fetchedProperty", ["name"]), ("fetchRequest", ["name"]),
    ("configuration", ["name", "entities"]),
  ])
  func `schema and decoder require the same members`(_ definition: String, _ required: [String])
    throws
  {
    #expect(strings(try node("$defs", definition, "required")) == required)
  }

  @Test func `every member has a description`() throws {
    for definition in [
      "model", "entity", "attribute", "relationship", "index", "indexElement", "fetchedProperty",
      "fetchRequest", "configuration",
    ] {
      guard case .object(let members) = try node("$defs", definition, "properties").kind else {
        Issue.record("\(definition) has no properties")
        continue
      }
      for member in members {
        let described = memberNames(member.value)
        #expect(
          described.contains("description") || described.contains("$ref"),
          "\(definition).\(member.name)")
      }
    }
  }
}
