internal import PassageDiagnostics
internal import PassageModels

/// Reads the model that an Xcode mapping model keeps of each of its two versions: an archive of the
/// editor's own classes, as the model was when the mapping model was saved.
///
/// Xcode's compiler takes the version hashes of a compiled mapping model from these, not from the
/// `.xcdatamodel` beside them. Apple documents no format; the keys understood here are those that
/// public files have.
enum EmbeddedModelReader {
  /// Reads and checks a model.
  ///
  /// - Parameters:
  ///   - bytes: the archive.
  ///   - name: the model's name; the archive has none.
  ///   - place: where the archive is.
  /// - Throws: `IMP-006` for an archive that is damaged or of something else, and the codes of
  ///   `ModelChecker`. Remarks carry `MOD-105` for what is not understood.
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
