internal import Passage

/// A JSON Schema from which editors complete and check a kind of this project's files. The files
/// themselves are in the repository, and are part of the program.
enum EditorSchema: String, CaseIterable {
  case mapping
  case model
  case history
  case store

  /// The folder of a project whose files it describes.
  var folder: String {
    self == .mapping ? ProjectArguments.defaultMappings : ProjectArguments.defaultMigrations
  }

  /// How the files in this folder name the schema.
  var reference: String { "Schemas/\(rawValue).schema.json" }

  /// The schema.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The schema in UTF-8.
  var bytes: [UInt8] {
    switch self {
    case .mapping: PackageResources.mapping_schema_json
    case .model: PackageResources.model_schema_json
    case .history: PackageResources.history_schema_json
    case .store: PackageResources.store_schema_json
    }
  }
}
