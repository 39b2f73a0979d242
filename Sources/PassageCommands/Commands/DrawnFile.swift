internal import Passage
internal import PassageFiles
internal import PassageReports

/// The file that `diagram` is to draw.
struct DrawnFile {
  let path: String
  let places: ProjectPlaces

  /// The drawing of what the file holds.
  ///
  /// - Throws: ``MigrationError``.
  func diagram() throws -> Diagram {
    if let history = try history() { return Diagram(history) }
    let store = InspectedStore(path: path, places: places)
    switch try InspectedFile(path: path, models: { store.knownModels }) {
    case .mapping(let mapping, _): return Diagram(mapping)
    case .model(let read): return Diagram(read.model)
    case .store:
      let facts = try store.facts()
      let model = try facts.model ?? ownModel()
      return Diagram(model, counts: facts.counts)
    }
  }

  /// The model that the store keeps, or why there is none.
  private func ownModel() throws -> Model {
    var mistakes = CallMistakes(diskState: nil)
    do throws(Diagnostics) {
      return try ModelFile.load(path: path).model
    } catch {
      mistakes.add(inNamedFiles: error)
    }
    try mistakes.throwIfErrors()
    throw MigrationError(.bug, Diagnostic("RUN-099", "a model was neither read nor refused"))
  }

  /// The history in a file of that name, or in a folder with such a file; `nil` for anything else.
  private func history() throws -> History? {
    let name = path.split(separator: "/").last
    let file = name == "history.json" ? path : path + "/history.json"
    guard (try? FileSystem.status(file))?.kind == .file,
      let bytes = FileSystem().contents(file, limit: JSONParser.maximumBytes)
    else { return nil }
    var mistakes = CallMistakes(diskState: nil)
    do throws(Diagnostics) {
      return try HistoryDocument.decode(bytes, file: file)
    } catch {
      mistakes.add(inNamedFiles: error)
    }
    try mistakes.throwIfErrors()
    return nil
  }
}
