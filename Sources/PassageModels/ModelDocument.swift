package import PassageDiagnostics
internal import PassagePlatform

/// A model as this project's JSON: the format of the files in `Migrations/`.
///
/// ```json
/// { "name": "Notes 1",
///   "entities": [
///     { "name": "Event",
///       "attributes": [
///         { "name": "timeStamp", "type": "date" }
///       ] } ] }
/// ```
/// The schema is `Migrations/Schemas/model.schema.json`.
package enum ModelDocument {
  /// The value of `$schema` in a file that this project writes into `Migrations/`.
  package static let schemaReference = "Schemas/model.schema.json"

  /// The members the model may have; the schema lists the same ones.
  package static let modelMembers = [
    "name", "versionIdentifiers", "entities", "configurations", "fetchRequests",
  ]
  /// The members an entity may have; the schema lists the same ones.
  package static let entityMembers = [
    "name", "abstract", "parent", "attributes", "relationships", "fetchedProperties",
    "uniquenessConstraints", "indexes", "renamingIdentifier", "versionHashModifier", "className",
    "userInfo", "versionHash",
  ]
  /// The members an attribute may have; the schema lists the same ones.
  package static let attributeMembers = [
    "name", "type", "optional", "transient", "default", "allowsExternalBinaryDataStorage",
    "preservesValueOnDeletion", "derivation", "derivationFilter", "minimum", "maximum",
    "regularExpression",
    "valueTransformerName", "valueClassName", "elements", "indexed", "renamingIdentifier",
    "versionHashModifier", "userInfo",
  ]
  /// The members a relationship may have; the schema lists the same ones.
  package static let relationshipMembers = [
    "name", "destination", "inverse", "toMany", "minimumCount", "maximumCount", "ordered",
    "deleteRule", "optional", "transient", "renamingIdentifier", "versionHashModifier", "userInfo",
  ]
  /// The members an index may have; the schema lists the same ones.
  package static let indexMembers = ["name", "elements", "partialPredicate"]
  /// The members an index element may have; the schema lists the same ones.
  package static let indexElementMembers = ["property", "expression", "kind", "ascending"]
  /// The members a fetched property may have; the schema lists the same ones.
  package static let fetchedPropertyMembers = [
    "name", "entity", "predicate", "settings", "request", "userInfo",
  ]
  /// The members a fetch request may have; the schema lists the same ones.
  package static let fetchRequestMembers = ["name", "entity", "predicate", "settings"]
  /// The members a configuration may have; the schema lists the same ones.
  package static let configurationMembers = ["name", "entities", "cloudKit"]

  /// Reads and checks a model.
  ///
  /// - Parameters:
  ///   - bytes: the file's contents.
  ///   - file: the file name used in locations.
  /// - Throws: every mistake, with its location: `MOD-001` for a text that is not JSON, `MOD-002`
  ///   for a wrong, missing or unknown member, `MOD-003` for a default that does not fit its type,
  ///   and the codes of ``ModelChecker``.
  package static func decode(_ bytes: [UInt8], file: String) throws(Diagnostics) -> Model {
    try read(bytes, file: file).model
  }

  /// Reads and checks a model, and keeps warnings and locations. Throws the errors of `decode`.
  package static func read(_ bytes: [UInt8], file: String) throws(Diagnostics) -> ReadModel {
    let node: JSONNode
    do {
      node = try JSONParser.parse(bytes, file: file)
    } catch {
      var mistake = error
      mistake.code = "MOD-001"
      throw Diagnostics([mistake])
    }
    return try read(node, file: file)
  }

  /// Reads and checks a model inside another JSON file.
  package static func read(_ node: JSONNode, file: String) throws(Diagnostics) -> ReadModel {
    var decoder = ModelDecoder(file: file)
    let model = decoder.model(node)
    // The checks need a complete model: after mistakes of shape they would report false errors.
    try decoder.json.diagnostics.throwIfErrors()
    return try ReadModel(
      checking: model, findings: decoder.json.diagnostics, locations: decoder.locations)
  }
}
