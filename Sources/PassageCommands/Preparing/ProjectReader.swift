internal import Passage
internal import PassagePlatform

/// Reads the project that the command line names.
struct ProjectReader {
  private let places: ProjectPlaces

  init(_ places: ProjectPlaces) { self.places = places }

  var mappingFolder: MappingFolder {
    MappingFolder(path: places.mappingsDir ?? ProjectArguments.defaultMappings)
  }

  /// The project; `nil` if it has mistakes, which are added to the list.
  func project(_ mistakes: inout CallMistakes) -> Project? {
    for (flag, path) in [
      ("--migrations", places.migrations), ("--mappings-dir", places.mappingsDir),
    ] {
      guard let path, !isFolder(path) else { continue }
      mistakes.add(
        Diagnostic(
          "CMD-003", "\(flag) does not name a folder", at: SourceLocation(file: path),
          remedy: "check the path"))
    }
    do {
      return try Project(
        migrationsDirectory: places.migrations ?? ProjectArguments.defaultMigrations,
        mappingsDirectory: mappingFolder.path, modelPaths: places.models)
    } catch {
      // The command line names only the additional models. For a missing model of the history, the
      // path begins with the history's folder.
      let named = Diagnostics(error.all.filter(isAboutNamedModel))
      mistakes.add(inNamedFiles: named)
      mistakes.add(inFiles: Diagnostics(error.all.filter { !isAboutNamedModel($0) }))
      return nil
    }
  }

  private func isAboutNamedModel(_ diagnostic: Diagnostic) -> Bool {
    places.models.contains { path in
      diagnostic.location.map { path.hasPrefix($0.file) } ?? diagnostic.message.contains(path)
    }
  }

  private func isFolder(_ path: String) -> Bool {
    var isDirectory = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory
  }
}
