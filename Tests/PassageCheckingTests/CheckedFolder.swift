import PassageDiagnostics
import PassageEngine
import PassageProjects
import PassageTesting
import TestSupport

@testable import PassageChecking

/// A project in a folder of its own: two versions, and mapping models between them.
struct CheckedFolder {
  let folder: TemporaryDirectory

  /// The first version: an entity with attributes of several types, and an ordered relationship.
  static let oldModel = """
    { "name": "1", "entities": [
      { "name": "Note",
        "attributes": [
          { "name": "text", "type": "string" },
          { "name": "size", "type": "integer64" },
          { "name": "year", "type": "integer16" },
          { "name": "kind", "type": "integer16", "optional": false } ],
        "relationships": [
          { "name": "pages", "destination": "Page", "inverse": "note", "toMany": true,
            "ordered": true } ] },
      { "name": "Page",
        "relationships": [ { "name": "note", "destination": "Note", "inverse": "pages" } ] } ] }
    """

  /// The second version: narrower, required, and without an order.
  static let newModel = """
    { "name": "2", "entities": [
      { "name": "Note",
        "attributes": [
          { "name": "text", "type": "string" },
          { "name": "size", "type": "integer32" },
          { "name": "number", "type": "integer64" },
          { "name": "year", "type": "integer16", "optional": false },
          { "name": "kind", "type": "integer16" } ],
        "relationships": [
          { "name": "pages", "destination": "Page", "inverse": "note", "toMany": true } ] },
      { "name": "Other",
        "attributes": [ { "name": "text", "type": "string" } ] },
      { "name": "Page",
        "relationships": [ { "name": "note", "destination": "Note", "inverse": "pages" } ] } ] }
    """

  /// A history of one step by the mapping model “M”, with further members.
  static func history(_ members: String = "", version: String = "") -> String {
    """
    { "versions": [
        { "name": "1", "model": "1.json"\(version) },
        { "name": "2", "model": "2.json" } ],
      "steps": [ { "from": "1", "to": "2", "mappings": ["M"] } ]\(members) }
    """
  }

  /// A mapping model whose entity mappings begin in its second line.
  static func mapping(_ entityMappings: String) -> String {
    """
    { "source": "1", "destination": "2", "entityMappings": [
    \(entityMappings) ] }
    """
  }

  init(
    history: String = Self.history(), mappings: [String: String],
    models: [String: String] = ["1": Self.oldModel, "2": Self.newModel]
  ) throws {
    folder = try TemporaryDirectory()
    for (name, text) in models { try folder.write(text, to: "Migrations/\(name).json") }
    for (name, text) in mappings { try folder.write(text, to: "Mappings/\(name).json") }
    try folder.write(history, to: "Migrations/history.json")
  }

  func check(_ policies: [any MigrationPolicy.Type] = []) throws -> HistoryCheck {
    try HistoryCheck(
      Project(
        migrationsDirectory: folder.path("Migrations"), mappingsDirectory: folder.path("Mappings")),
      policies: PolicyRegistry(policies))
  }

  /// The findings of a rule, each as `file:line:column`, without the folder.
  func places(of code: String, _ policies: [any MigrationPolicy.Type] = []) throws -> [String] {
    try check(policies).findings.filter { $0.code == code }.map { finding in
      String((finding.diagnostic.location?.description ?? "").dropFirst(folder.path.utf8.count + 1))
    }
  }
}
