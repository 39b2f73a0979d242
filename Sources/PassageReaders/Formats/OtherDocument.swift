internal import PassageDiagnostics

/// A file in this project's JSON that is not a model.
enum OtherDocument {
  case mappingModel
  case history

  /// Judges by the members. Only what could not be read as a model is looked at.
  ///
  /// - Returns: `nil` for anything else, such as a model with mistakes.
  init?(_ bytes: [UInt8]) {
    guard let root = try? JSONParser.parse(bytes, file: ""), case .object(let members) = root.kind
    else { return nil }
    let names = Set(members.map(\.name))
    if names.contains("entities") { return nil }
    if names.contains("entityMappings") {
      self = .mappingModel
    } else if names.contains("versions") || names.contains("steps") {
      self = .history
    } else {
      return nil
    }
  }

  /// What the file is, and which commands take it.
  func diagnostic(of file: FoundFile) -> Diagnostic {
    Diagnostic(
      "MOD-101", "“\(file.name)” is not a model", at: SourceLocation(file: file.path),
      reason: self == .history ? "it is the history of a project" : "it is a mapping model",
      remedy: remedy(for: file))
  }

  private func remedy(for file: FoundFile) -> String {
    switch self {
    case .mappingModel: "describe it with: migrate inspect \(file.path.shellQuoted)"
    case .history where file.name == "history.json":
      "draw it with: migrate diagram \(file.path.shellQuoted); check it with: migrate check "
        + "--migrations \(file.parent.shellQuoted)"
    case .history:
      "name it history.json, and its folder with --migrations of the other commands"
    }
  }
}
