internal import PassageDiagnostics
package import PassageEngine
package import PassageFiles
internal import PassageStores

/// Where the migrated stores of a fleet go.
package enum ResultPlaces: Sendable, Hashable {
  /// Each takes the place of its source.
  case inPlace
  /// A folder. A store gets the name of its source there or, with a base, the path of its source
  /// below the base.
  case folder(String, base: String?)

  /// The folder; `nil` in place.
  var folder: String? {
    if case .folder(let folder, _) = self { folder } else { nil }
  }

  /// The destination of a store.
  ///
  /// - Throws: `FLT-008` if the name is not below the base.
  package func destination(of name: String) throws(MigrationError) -> MigrationDestination {
    switch self {
    case .inPlace: return .inPlace
    case .folder(let folder, let base):
      guard let base else { return .file("\(folder)/\(StoreUnit(path: name).name)") }
      let (start, path) = (Self.parts(base), Self.parts(name))
      guard base.hasPrefix("/") == name.hasPrefix("/"), path.count > start.count,
        path.prefix(start.count) == start[...], !path[start.count...].contains("..")
      else {
        throw StoreList.refusal(
          Diagnostic(
            "FLT-008", "a store is not below the folder that --base names",
            at: SourceLocation(file: name), reason: "--base is \(base)",
            remedy: "name a folder around all stores, as the list writes it"))
      }
      return .file("\(folder)/\(path[start.count...].joined(separator: "/"))")
    }
  }

  /// The names of a path, without those that change nothing.
  static func parts(_ path: String) -> [Substring] {
    path.split(separator: "/").filter { $0 != "." }
  }

  /// Creates the folders in which a result goes, below the one that was named.
  package func makeFolder(of destination: MigrationDestination, files: FileSystem) throws {
    guard case .folder(let folder, .some) = self, case .file(let path) = destination else { return }
    let below = FileSystem.folder(of: path).dropFirst(folder.count)
    if below.isEmpty || files.isDirectory(folder + below) { return }
    var parent = folder
    for name in below.split(separator: "/") {
      let made = "\(parent)/\(name)"
      // A result is durable only if the way to it is.
      if try files.makeNewDirectory(made) { try files.synchronizeDirectory(parent) }
      parent = made
    }
  }
}
