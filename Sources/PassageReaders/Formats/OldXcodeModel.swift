internal import PassageDiagnostics
internal import PassageModels

/// A model in the format of Xcode 3: the bundle's file `elements`, an archive of the editor's own
/// objects. The file `layout` beside it holds their positions in the diagram.
///
/// Later editors still write such an archive into mapping models, and it is read in the same way.
/// No such bundle was available for tests, so a warning says where the model comes from.
enum OldXcodeModel {
  static let fileName = "elements"

  /// The archive in a bundle; `nil` for a bundle with the XML of later editors, or with neither.
  static func elements(of bundle: FoundFile) throws(Diagnostics) -> FoundFile? {
    if let contents = try FoundFile(path: bundle.path + "/contents"), !contents.isDirectory {
      return nil
    }
    guard let file = try FoundFile(path: "\(bundle.path)/\(fileName)"), !file.isDirectory else {
      return nil
    }
    return file
  }

  /// Reads and checks the model.
  ///
  /// - Throws: `MOD-112` for an archive that is not understood, and the codes of `ModelChecker`.
  static func read(_ file: FoundFile, name: String) throws(Diagnostics) -> ReadModel {
    let place = SourceLocation(file: file.path)
    let bytes = try file.read(maximumBytes: CompiledModelReader.maximumBytes)
    var read: ReadModel
    do {
      read = try EmbeddedModelReader.read(bytes, name: name, at: place)
    } catch {
      guard let unread = error.all.first(where: { $0.code == "IMP-006" }) else { throw error }
      throw Diagnostics([
        Diagnostic(
          "MOD-112", "the file is a model in the binary format of Xcode 3, which is not understood",
          at: place, reason: unread.reason, remedy: CompiledModelReader.remedyForOldModel)
      ])
    }
    read.remarks.append(
      Diagnostic(
        "MOD-132", "the model was read from the binary format of Xcode 3", severity: .warning,
        at: place, reason: "this format is known only from mapping models",
        remedy: "compare its version hashes with a store's: migrate inspect STORE"))
    return read
  }
}
