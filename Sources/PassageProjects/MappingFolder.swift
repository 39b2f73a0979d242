package import PassageDiagnostics
internal import PassageFiles
package import PassageMappings
package import PassageModels
internal import PassageReaders

/// A folder with one `<name>.json` for each mapping model.
package struct MappingFolder: Sendable {
  /// `Mappings/`
  package let path: String
  /// The models among which those of Xcode's mapping models are found.
  private let models: KnownModels?

  /// - Parameters:
  ///   - path: the folder; it need not exist.
  ///   - models: the models among which those of Xcode's mapping models are found.
  package init(path: String, models: KnownModels? = nil) {
    self.path = path
    self.models = models
  }

  /// - Parameters:
  ///   - path: the folder; it need not exist.
  ///   - models: the models among which those of Xcode's mapping models are found.
  package init(path: String, models: [Model]) {
    self.init(
      path: path,
      models: KnownModels(
        Dictionary(models.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }),
        unread: [:], unreadable: [:], versionNames: []))
  }

  /// The names of the mapping models in the folder, sorted; empty when the folder does not exist.
  package var names: [String] {
    TextFile.names(in: path).filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
  }

  /// Reads mapping models by name, or by path if a name contains a slash or ends in `.json`,
  /// `.xcmappingmodel` or `.cdm`. Spaces around a name do not count where nothing has the name with them.
  ///
  /// The models of a mapping model from Xcode must be among the given ones. One that differs from the
  /// model that the mapping model was made for is a warning (`IMP-022`) among the mapping model's
  /// remarks: Core Data would not find the mapping model, but runs it when it is given.
  ///
  /// - Throws: everything that is wrong with any of them; `PLN-005` when there is no such file,
  ///   `IMP-012` and `IMP-026` when a model of a mapping model from Xcode is not given.
  package func mappingModels(named names: [String]) throws(Diagnostics) -> [MappingModel] {
    var found: [MappingModel] = []
    var diagnostics = Diagnostics()
    var similar = SimilarNames()
    // Listed for the first name that is missing.
    var known: [String]?
    for name in names.map(spelling) {
      let suffixes = [".json", ".xcmappingmodel", ".cdm"]
      let isPath = name.contains("/") || suffixes.contains { name.hasSuffix($0) }
      var file = isPath ? name : "\(path)/\(name).json"
      if isPath, XcodeMappingReader.recognizes(path: file) {
        do {
          found.append(try foreign(file))
        } catch {
          diagnostics.append(contentsOf: error)
        }
        continue
      }
      do {
        var bytes = try TextFile.contents(file)
        if bytes == nil {
          let others = known ?? self.names
          known = others
          // Equal names may differ in their bytes, as those that were copied from a Mac do.
          if !isPath, let spelt = others.first(where: { $0 == name }) {
            file = "\(path)/\(spelt).json"
            bytes = try TextFile.contents(file)
          }
        }
        guard let bytes else {
          diagnostics.append(missing(name, among: known ?? [], &similar, at: file))
          continue
        }
        found.append(try decoded(bytes, file))
      } catch {
        diagnostics.append(contentsOf: error)
      }
    }
    try diagnostics.throwIfErrors()
    return found
  }

  /// A name as it is given where something has it, otherwise as a mapping model is spelled.
  private func spelling(_ name: String) -> String {
    let isPlain = name.first != " " && name.last != " "
    return isPlain || FileSystem().entry(name) != nil ? name : name.spelling(among: names)
  }

  /// Reads a mapping model in this project's JSON. A file of another kind is told as what it is.
  private func decoded(_ bytes: [UInt8], _ path: String) throws(Diagnostics) -> MappingModel {
    do throws(Diagnostics) {
      return try MappingDocument.decode(bytes, file: path)
    } catch {
      guard let file = try? FoundFile(path: path), let other = OtherDocument(bytes, of: file),
        other != .mappingModel
      else { throw error }
      throw Diagnostics([other.diagnostic(of: file, inPlaceOf: .mappingModel)])
    }
  }

  private func foreign(_ path: String) throws(Diagnostics) -> MappingModel {
    let known = (models?.all ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    let read = try XcodeMappingReader.read(path: path, among: known)
    let doubts = read.notes.all.filter { ["IMP-012", "IMP-026"].contains($0.code) }
    try Diagnostics(
      doubts.map { doubt in
        var mistake = doubt
        mistake.severity = .error
        return mistake
      }
    ).throwIfErrors()
    var mapping = read.mapping
    mapping.remarks.append(contentsOf: Diagnostics(read.notes.all.filter { $0.code == "IMP-022" }))
    return mapping
  }

  private func missing(
    _ name: String, among known: [String], _ similar: inout SimilarNames, at file: String
  ) -> Diagnostic {
    let named = name.hasSuffix(".json") ? String(name.dropLast(5)) : name
    let remedy =
      (named != name && known.contains(named) ? "did you mean “\(named)”?" : nil)
      ?? similar.suggestion(for: name) { known }
      ?? (known.isEmpty
        ? "make the file, or name the folder that has it" : "use one of: \(shortList(of: known))")
    let reason =
      FileSystem().isDirectory(path)
      ? "there are no mapping models in it" : "there is no such folder"
    return Diagnostic(
      "PLN-005", "there is no mapping model “\(name)”", at: SourceLocation(file: file),
      reason: known.isEmpty ? "\(path): \(reason)" : nil,
      remedy: remedy)
  }
}

extension String {
  /// A name as it is given, without the spaces before it, because people write one after a comma, or without
  /// those around it: the first of them that is known, otherwise the last.
  package func spelling(among known: [String]) -> String {
    [self, String(drop { $0 == " " })].first(where: known.contains) ?? trimmingSpaces
  }

  /// The text without the spaces around it.
  package var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
