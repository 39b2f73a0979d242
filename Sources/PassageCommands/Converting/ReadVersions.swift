internal import Passage
internal import PassagePlatform

/// The models that a call names, version by version.
struct ReadVersions {
  /// In the order of the call, the versions of a bundle in natural order.
  private(set) var models: [Model] = []
  /// The path of each model, with its version where the file has several.
  private(set) var places: [String] = []

  /// Every version of a model at a path, or the one that the path names, each with its own path.
  static func versions(
    at path: String
  ) throws(Diagnostics) -> [(place: String, read: ReadModel)] {
    guard FileManager.default.fileExists(atPath: path) else {
      return [(path, try ModelFile.load(path: path))]
    }
    let names = try ModelFile.list(path: path).names
    guard names.count > 1 else {
      return [(path, try ModelFile.load(path: names.first.map { "\(path):\($0)" } ?? path))]
    }
    var versions: [(place: String, read: ReadModel)] = []
    for name in names {
      let place = "\(path):\(name)"
      versions.append((place, try ModelFile.load(path: place)))
    }
    return versions
  }

  /// Reads every version of a model.
  ///
  /// - Parameter isWritten: whether the models are written as JSON, which must not change their
  ///   version hashes (`CMD-035`).
  mutating func read(
    at path: String, isWritten: Bool = true, _ notes: inout Diagnostics,
    _ mistakes: inout CallMistakes
  ) {
    do throws(Diagnostics) {
      for (place, read) in try Self.versions(at: path) {
        if read.remarks.all.contains(where: { $0.code == "MOD-127" }) {
          mistakes.add(
            inNamedFiles: Diagnostics([
              Diagnostic(
                "CMD-034", "the store contains no model", at: SourceLocation(file: path),
                reason: "a model guessed from its tables has different version hashes",
                remedy: "give the app's model: .momd or .xcdatamodeld")
            ]))
          continue
        }
        if isWritten, let changed = Self.changedHashes(of: read, at: path) {
          mistakes.add(inNamedFiles: Diagnostics([changed]))
          continue
        }
        notes.append(contentsOf: Diagnostics(read.remarks.all.filter { $0.severity != .error }))
        add(read.model, at: place, &mistakes)
      }
    } catch {
      mistakes.add(inNamedFiles: error)
    }
  }

  /// Adds a model. One that is there already is not added again; another one of its name is a
  /// mistake (`CMD-031`).
  mutating func add(_ model: Model, at place: String, _ mistakes: inout CallMistakes) {
    guard let other = models.first(where: { $0.name == model.name }) else {
      models.append(model)
      places.append(place)
      return
    }
    guard other.versionHashes != model.versionHashes else { return }
    mistakes.add(
      Diagnostic(
        "CMD-031", "two models are named “\(model.name)” and differ",
        at: SourceLocation(file: place), reason: "the name of a version is the name of its file",
        remedy: "convert them into separate folders"))
  }

  /// The error for a model whose version hashes would change by writing it.
  private static func changedHashes(of read: ReadModel, at path: String) -> Diagnostic? {
    let written = ModelDocument.encode(read.model)
    let again = try? ModelDocument.decode(Array(written.utf8), file: path)
    guard again?.versionHashes != read.model.versionHashes else { return nil }
    return Diagnostic(
      "CMD-035",
      "the model “\(read.model.name)” cannot be written without changing its version hashes",
      at: SourceLocation(file: path),
      reason: again.map { "\(ModelDifference(from: read.model, to: $0))" })
  }
}
