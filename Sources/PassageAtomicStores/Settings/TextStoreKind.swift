internal import PassageFiles
internal import PassageStores

extension TextStoreSettings.Kind {
  /// The file extensions of keyed records.
  static let keyedExtensions = ["records", "keyed"]
  /// The file extensions of delimited text.
  static let delimitedExtensions = ["csv", "tsv", "delimited"]
}

/// The type of text of a file.
enum TextStoreKind {
  case delimited
  case keyed

  init?(of path: String, firstBytes: [UInt8]) {
    let name = StoreUnit(path: path).name.lowercased()
    let suffix = name.split(separator: ".").dropFirst().last.map(String.init) ?? ""
    if FileSystem().entry(TextStoreSettings.path(of: path)) != nil {
      // Unreadable settings are reported when the file is loaded as the type that its extension
      // names.
      switch (try? TextStoreSettings.beside(path))?.kind {
      case .keyed: self = .keyed
      case .delimited: self = .delimited
      case nil:
        self = TextStoreSettings.Kind.keyedExtensions.contains(suffix) ? .keyed : .delimited
      }
      return
    }
    // A database is never text, whatever its extension.
    guard !firstBytes.starts(with: "SQLite format 3\0".utf8) else { return nil }
    if TextStoreSettings.Kind.keyedExtensions.contains(suffix) {
      self = .keyed
    } else if TextStoreSettings.Kind.delimitedExtensions.contains(suffix) {
      self = .delimited
    } else {
      return nil
    }
  }
}
