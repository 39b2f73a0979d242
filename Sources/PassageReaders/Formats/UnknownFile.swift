internal import PassageDiagnostics

/// The report for a file that is not a known kind of model: what it is, as far as that can be
/// determined, and what to give instead.
struct UnknownFile {
  private let file: FoundFile
  private let kinds: [String]
  /// The paths of models in the folder; empty for a file.
  private let models: [String]

  /// - Parameter kinds: the names of the kinds of model.
  init(_ file: FoundFile, kinds: [String]) {
    self.file = file
    self.kinds = kinds
    models = file.isDirectory ? Self.models(in: file) : []
  }

  var diagnostic: Diagnostic {
    Diagnostic(
      "MOD-101", "“\(file.name)” is not a known kind of model",
      at: SourceLocation(file: file.path), reason: reason, remedy: remedy)
  }

  private var reason: String? {
    switch (file.isDirectory, file.pathExtension, file.name) {
    case (true, "xcmappingmodel", _): "it is a mapping model of Xcode"
    case (true, "xcodeproj", _), (true, "xcworkspace", _): "it is a project of Xcode"
    case (true, _, _):
      models.isEmpty ? "it is a folder without models" : "it is a folder that contains \(list)"
    case (false, _, ".xccurrentversion"), (false, _, VersionInfo.fileName):
      "it only says which version of its bundle is current"
    default: nil
    }
  }

  private var remedy: String {
    if file.pathExtension == "xcmappingmodel" || file.pathExtension == "cdm" {
      return "convert it to a mapping model in JSON with migrate convert"
    }
    switch (file.isDirectory, file.name) {
    case (true, _) where !models.isEmpty:
      return "name one of them: \(file.path)/\(models[0])"
    case (false, ".xccurrentversion"), (false, VersionInfo.fileName):
      return "give the bundle: \(file.parent)"
    default: return "give one of: \(kinds.joined(separator: ", "))"
    }
  }

  /// The paths inside the folder that look like models or stores: those directly in it, or
  /// otherwise those a few folders below, as in an app's bundle or a project.
  private static func models(in file: FoundFile) -> [String] {
    var entries = maximumEntries
    var level = [""]
    for _ in 0..<maximumDepth where !level.isEmpty {
      var found: [String] = []
      var next: [String] = []
      for folder in level {
        guard let inside = try? FoundFile(path: "\(file.path)/\(folder)") else { continue }
        for name in ((try? inside.contents) ?? []).prefix(max(0, entries)) {
          entries -= 1
          let path = folder.isEmpty ? name : "\(folder)/\(name)"
          if isModel(name) {
            found.append(path)
          } else if !name.hasPrefix(".") {
            next.append(path)
          }
        }
      }
      if !found.isEmpty { return found.sorted { NaturalOrder($0) < NaturalOrder($1) } }
      level = next
    }
    return []
  }

  private static let maximumDepth = 5
  private static let maximumEntries = 2_000

  private static func isModel(_ name: String) -> Bool {
    [".xcdatamodeld", ".xcdatamodel", ".momd", ".mom", ".sqlite", ".storedata", ".sqlite3"]
      .contains { name.hasSuffix($0) }
  }

  private var list: String { ModelFile.list(models) }
}
