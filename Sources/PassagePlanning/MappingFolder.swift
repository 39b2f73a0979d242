public import PassageDiagnostics
public import PassageMappings

/// A folder with one `<name>.json` for each mapping model.
public struct MappingFolder: Sendable, Hashable {
  /// `Mappings/`
  public let path: String

  public init(path: String) { self.path = path }

  /// The names of the mapping models in the folder, sorted; empty when there is no such folder.
  public var names: [String] {
    TextFile.names(in: path).filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
  }

  /// Reads mapping models by name, or by path when a name holds a slash or ends in `.json`.
  ///
  /// - Throws: everything that is wrong with any of them; `PLN-005` when there is no such file.
  public func mappingModels(named names: [String]) throws(Diagnostics) -> [MappingModel] {
    var models: [MappingModel] = []
    var diagnostics = Diagnostics()
    for name in names {
      let isPath = name.contains("/") || name.hasSuffix(".json")
      let path = isPath ? name : "\(path)/\(name).json"
      guard let bytes = TextFile.contents(path) else {
        diagnostics.append(missing(name, at: path))
        continue
      }
      do {
        models.append(try MappingDocument.decode(bytes, file: path))
      } catch {
        diagnostics.append(contentsOf: error)
      }
    }
    try diagnostics.throwIfErrors()
    return models
  }

  private func missing(_ name: String, at file: String) -> Diagnostic {
    let known = names
    let remedy =
      nearest(to: name, in: known).map { "did you mean “\($0)”?" }
      ?? (known.isEmpty
        ? "there are none in \(path)" : "there are: \(known.joined(separator: ", "))")
    return Diagnostic(
      "PLN-005", "there is no mapping model “\(name)”", at: SourceLocation(file: file),
      remedy: remedy)
  }
}
