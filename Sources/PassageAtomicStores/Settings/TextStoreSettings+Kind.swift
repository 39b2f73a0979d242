internal import PassageFiles
internal import PassageStores

extension TextStoreSettings.Kind {
  /// The file extensions of the type.
  var fileExtensions: [String] {
    switch self {
    case .delimited: ["csv", "tsv", "delimited"]
    case .keyed: ["records", "keyed"]
    case .jsonLines: ["jsonl", "ndjson"]
    }
  }

  /// The type of text of a file: the one that the settings beside it name, otherwise the one of its
  /// extension; `nil` for any other file.
  static func of(_ path: String, firstBytes: [UInt8]) -> Self? {
    let name = StoreUnit(path: path).name.lowercased()
    let suffix = name.split(separator: ".").dropFirst().last.map(String.init) ?? ""
    let named = allCases.first { $0.fileExtensions.contains(suffix) }
    if FileSystem().entry(TextStoreSettings.path(of: path)) != nil {
      // Unreadable settings are reported when the file is loaded as the type that its extension
      // names.
      return (try? TextStoreSettings.beside(path))?.kind ?? named ?? .delimited
    }
    // A database is never text, whatever its extension.
    return firstBytes.starts(with: "SQLite format 3\0".utf8) ? nil : named
  }
}
