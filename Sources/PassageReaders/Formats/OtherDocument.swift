internal import PassageAtomicStores
package import PassageDiagnostics

/// What a file in this project's JSON is, where a file of another kind was expected.
package enum OtherDocument {
  case model
  case mappingModel
  case history
  case storeSettings

  /// What the names of settings files end with.
  private static let settingsEnd = TextStoreSettings.path(of: "")

  /// Judges by the members. Only what could not be read as what was expected is looked at.
  ///
  /// - Returns: `nil` for anything else.
  package init?(_ bytes: [UInt8], of file: FoundFile) {
    guard let root = try? JSONParser.parse(bytes, file: ""), case .object(let members) = root.kind
    else { return nil }
    let names = Set(members.map(\.name))
    // Settings may have “entities” too.
    if case .string(let type)? = members.first(where: { $0.name == "type" })?.value.kind,
      TextStoreSettings.Kind(rawValue: type) != nil
    {
      self = .storeSettings
    } else if names.contains("entities") {
      // A mapping model that has a member too much or another name for one.
      guard names.isDisjoint(with: ["destination", "entityMappings"]) else { return nil }
      self = .model
    } else if names.contains("entityMappings") {
      self = .mappingModel
    } else if names.contains("versions") || names.contains("steps") {
      self = .history
    } else if file.name.hasSuffix(Self.settingsEnd) {
      self = .storeSettings
    } else {
      return nil
    }
  }

  /// What the file is, and which commands take it.
  ///
  /// - Returns: `MAP-002` in place of a mapping model, otherwise `MOD-101`.
  package func diagnostic(of file: FoundFile, inPlaceOf expected: OtherDocument) -> Diagnostic {
    Diagnostic(
      expected == .mappingModel ? "MAP-002" : "MOD-101", "“\(file.name)” is not \(expected.title)",
      at: SourceLocation(file: file.path), reason: "it is \(title)", remedy: remedy(for: file))
  }

  private var title: String {
    switch self {
    case .model: "a model"
    case .mappingModel: "a mapping model"
    case .history: "the history of a project"
    case .storeSettings: "the settings file of a text store"
    }
  }

  private func remedy(for file: FoundFile) -> String {
    switch self {
    case .model, .mappingModel: "describe it with: migrate inspect \(file.path.shellQuoted)"
    case .history where file.name == "history.json":
      "draw it with: migrate diagram \(file.path.shellQuoted); check it with: migrate check "
        + "--migrations \(file.parent.shellQuoted)"
    case .history:
      "name it history.json, and its folder with --migrations of the other commands"
    case .storeSettings:
      if let store = Self.store(of: file) {
        "describe its store with: migrate inspect \(store.shellQuoted)"
      } else {
        "name it FILE.store.json beside the store FILE, or give it with --store-settings where the "
          + "store comes through standard input"
      }
    }
  }

  /// The path of the store whose settings a file has; `nil` if it is not there.
  private static func store(of file: FoundFile) -> String? {
    guard file.path.hasSuffix(settingsEnd) else { return nil }
    let path = String(file.path.dropLast(settingsEnd.count))
    guard let store = try? FoundFile(path: path), !store.isDirectory else { return nil }
    return path
  }
}
