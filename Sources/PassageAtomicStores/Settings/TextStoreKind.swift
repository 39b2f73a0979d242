internal import PassageFiles
internal import PassageStores

extension TextStoreSettings.Kind {
  /// The endings of the names of keyed records.
  static let keyedExtensions = ["records", "keyed"]
  /// The endings of the names of delimited text.
  static let delimitedExtensions = ["csv", "tsv", "delimited"]
}

/// Which of the two types of text a file is, if either.
enum TextStoreKind {
  case delimited
  case keyed

  init?(of path: String, firstBytes: [UInt8]) {
    let name = StoreUnit(path: path).name.lowercased()
    let suffix = name.split(separator: ".").dropFirst().last.map(String.init) ?? ""
    if FileSystem().entry(TextStoreSettings.path(of: path)) != nil {
      // Settings that cannot be read are reported when the file is loaded as what its name says.
      switch (try? TextStoreSettings.beside(path))?.kind {
      case .keyed: self = .keyed
      case .delimited: self = .delimited
      case nil:
        self = TextStoreSettings.Kind.keyedExtensions.contains(suffix) ? .keyed : .delimited
      }
      return
    }
    // A database is one whatever it is called.
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
