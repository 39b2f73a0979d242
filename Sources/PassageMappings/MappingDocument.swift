public import PassageDiagnostics

/// Reads a mapping model's JSON file, and reports every mistake in it.
///
/// The format is described by the JSON Schema `mapping.schema.json`. The member names here are
/// those of the schema, which a test checks.
public enum MappingDocument {
  package static let modelMembers = [
    "name", "source", "destination", "nullSemantics", "variables", "entityMappings",
  ]
  package static let variableMembers = ["date", "uuid", "url", "data", "object", "keyPath"]
  package static let entityMembers = [
    "name", "type", "source", "destination", "filter", "policy", "forEach", "mergeBy", "objects",
    "attributes", "relationships", "draft",
  ]
  package static let mergeMembers = ["value", "keep"]
  package static let sortKeyMembers = ["value", "ascending"]
  package static let policyMembers = ["name", "userInfo"]
  package static let propertyMembers = [
    "value", "default", "combine", "sortedBy", "userInfo", "draft",
  ]

  /// Reads a mapping model.
  ///
  /// - Parameters:
  ///   - bytes: the file's contents.
  ///   - file: the path used in locations; its last component without `.json` is the mapping
  ///     model's name if the file gives none.
  /// - Throws: all mistakes: `MAP-001` (not JSON), `MAP-002` (a member is missing, unknown or of
  ///   the wrong type), `MAP-003` (entities that do not fit the mapping's type).
  public static func decode(_ bytes: [UInt8], file: String) throws(Diagnostics) -> MappingModel {
    let root: JSONNode
    do {
      root = try JSONParser.parse(bytes, file: file)
    } catch {
      throw Diagnostics([error])
    }
    var reader = MappingReader(file: file)
    let model = reader.model(root)
    try reader.decoding.diagnostics.throwIfErrors()
    guard let model else { throw reader.decoding.diagnostics }
    return model
  }
}
