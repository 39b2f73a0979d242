package import PassageDiagnostics
package import PassageModels
internal import PassageStores

/// Reads compiled models: archives of `NSManagedObjectModel`, which Xcode's compiler writes into
/// `.mom` files and Core Data into its stores.
///
/// Apple does not document their format. The keys that are understood here are those of public
/// files. Everything else is ignored with a note (`MOD-105`).
package enum CompiledModelReader {
  /// The largest archive that is read. The largest model known has about a megabyte.
  package static let maximumBytes = 64 << 20

  /// Reads and checks a model.
  ///
  /// - Parameters:
  ///   - bytes: the archive.
  ///   - name: the model's name: the file's name without extension.
  ///   - file: the file name used in locations.
  /// - Throws: `MOD-106` for an archive that exceeds a limit, `MOD-120` for bytes that are not an
  ///   archive or a damaged one, `MOD-121` for an archive of something else, and the codes of
  ///   `ModelChecker`.
  /// - Complexity: O(n) in the bytes; the number of steps is bounded for every archive.
  package static func read(
    _ bytes: [UInt8], name: String, file: String
  ) throws(Diagnostics) -> ReadModel {
    let place = SourceLocation(file: file)
    guard bytes.count <= maximumBytes else {
      throw Diagnostics([
        Diagnostic("MOD-106", "the model is larger than \(maximumBytes) bytes", at: place)
      ])
    }
    var part = "the model"
    do {
      let archive = try KeyedArchive(bytes)
      let root = try archive.root()
      let classes = try archive.classNames(of: root)
      guard classes.contains("NSManagedObjectModel") else {
        throw Diagnostics([otherArchive(of: classes[0], at: place)])
      }
      var decoder = ArchivedModelDecoder(archive, file: file)
      defer { part = decoder.part }
      let model = try decoder.model(root, name: name)
      return try ReadModel(
        checking: model, findings: decoder.findings, locations: ModelLocations(file: file))
    } catch let diagnostics as Diagnostics {
      throw diagnostics
    } catch KeyedArchiveError.tooLarge, KeyedArchiveError.propertyList(.tooLarge) {
      throw Diagnostics([
        Diagnostic(
          "MOD-106", "the archive of \(part) has too many objects", at: place,
          reason: "a model has at most \(ArchivedModelDecoder.maximumParts) entities and properties"
        )
      ])
    } catch {
      throw Diagnostics([
        Diagnostic(
          "MOD-120", "the archive of \(part) cannot be read", at: place, reason: "\(error)")
      ])
    }
  }

  /// The remedy for a model in the binary format of Xcode 3 that cannot be read.
  static let remedyForOldModel =
    "open it in Xcode, choose Xcode 4 or later as its format and save it; or give the app's .mom "
    + "file or a store of the app"

  private static func otherArchive(of name: String, at place: SourceLocation) -> Diagnostic {
    // The names of Xcode 3's own classes begin like this.
    if name.hasPrefix("XD") {
      return Diagnostic(
        "MOD-112", "the file is a model in the binary format of Xcode 3", at: place,
        remedy: remedyForOldModel)
    }
    return Diagnostic(
      "MOD-121", "the archive contains an object of class \(name) instead of a model", at: place,
      remedy: name == "NSMappingModel"
        ? "this is a compiled mapping model, which migrate convert reads; for a model, give a .mom "
          + "file"
        : "give a .mom file")
  }
}
