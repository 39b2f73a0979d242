internal import PassageDiagnostics
internal import PassageModels
internal import PassageStores

/// Reads the copy of its source or destination model that an Xcode mapping model contains: an
/// archive of the editor's own classes, with the model as it was when the mapping model was saved.
///
/// Xcode's compiler takes the version hashes of a compiled mapping model from these copies, not
/// from the `.xcdatamodel` beside them. Apple does not document the format. The keys that are
/// understood here are those of public files.
enum EmbeddedModelReader {
  /// Reads and checks a model.
  ///
  /// - Parameters:
  ///   - bytes: the archive.
  ///   - name: the model's name, which the archive does not contain.
  ///   - place: the location of the archive.
  /// - Throws: `IMP-006` for an archive that is damaged or of something else, and the codes of
  ///   `ModelChecker`. Remarks have `MOD-105` for everything that is not understood.
  static func read(
    _ bytes: [UInt8], name: String, at place: SourceLocation
  ) throws(Diagnostics) -> ReadModel {
    var part = "the model in the mapping model"
    do {
      let archive = try KeyedArchive(bytes)
      let root = try archive.root()
      var decoder = EmbeddedModelDecoder(archive, at: place)
      defer { part = decoder.part }
      let model = try decoder.model(root, name: name)
      return try ReadModel(
        checking: model, findings: decoder.findings, locations: ModelLocations(file: place.file))
    } catch let diagnostics as Diagnostics {
      throw diagnostics
    } catch {
      throw Diagnostics([
        Diagnostic(
          "IMP-006", "\(part) cannot be read", at: place, reason: "\(error)",
          remedy: "give the two models, or save the mapping model again with Xcode")
      ])
    }
  }
}
