internal import Passage
internal import PassageFiles
internal import PassagePlatform

/// The kind of the file that `inspect` is to describe.
enum InspectedFile {
  case store
  /// A mapping model, with the remarks of its reader.
  case mapping(MappingModel, Diagnostics)
  case model(ReadModel)

  /// Finds the kind by the contents of the file. An unknown file with the name of a store counts as
  /// a store, whose reader reports best what is wrong with it.
  ///
  /// - Parameter models: returns the models among which those of an Xcode mapping model are looked
  ///   for.
  /// - Throws: ``MigrationError``.
  init(path: String, models: () -> [Model] = { [] }) throws {
    let type = CommandContext.storeTypes.type(ofFileAt: path)
    if Self.isStore(path), type == nil {
      self = .store
      return
    }
    var mistakes = CallMistakes(diskState: nil)
    if path.hasSuffix(".json") || type == nil && Self.isJSON(path),
      let mapping = Self.mapping(path, &mistakes)
    {
      self = .mapping(mapping, Diagnostics())
      return
    }
    if XcodeMappingReader.recognizes(path: path) {
      do throws(Diagnostics) {
        let read = try XcodeMappingReader.read(path: path, among: models())
        self = .mapping(read.mapping, read.notes)
        return
      } catch {
        // A Core Data XML store of another kind is not a damaged mapping model.
        if type == nil || !error.all.contains(where: { $0.code == "IMP-002" }) {
          mistakes.add(inNamedFiles: error)
        }
      }
    }
    try mistakes.throwIfErrors()
    do throws(Diagnostics) {
      self = .model(try ModelFile.load(path: path))
      return
    } catch {
      if error.all.contains(where: { $0.code == "MOD-101" }), Self.isNamedLikeAStore(path),
        !Self.isJSON(path)
      {
        self = .store
        return
      }
      mistakes.add(inNamedFiles: error)
    }
    try mistakes.throwIfErrors()
    self = .store
  }

  /// Whether the file is an SQLite file or empty.
  private static func isStore(_ path: String) -> Bool {
    guard isRegular(path) else { return false }
    do throws(StoreError) {
      _ = try StoreFile.readHeader(path: path)
      return true
    } catch {
      return error.kind != .notSQLite && error.kind != .missing
    }
  }

  private static func isNamedLikeAStore(_ path: String) -> Bool {
    let name = StoreUnit(path: path).name
    let pathExtension = name.split(separator: ".").dropFirst().last?.lowercased()
    return isRegular(path) && !name.hasPrefix(".")
      && ["sqlite", "sqlite3", "db", "store", "storedata", nil].contains(pathExtension)
  }

  /// Whether the file has the name or the beginning of JSON.
  private static func isJSON(_ path: String) -> Bool {
    (try? FoundFile(path: path)).map { JSONModelFormat().recognizes($0) } ?? false
  }

  private static func isRegular(_ path: String) -> Bool {
    (try? FileSystem.status(path))?.kind == .file
  }

  /// The mapping model in a JSON file that has entity mappings; `nil` for any other file.
  private static func mapping(_ path: String, _ mistakes: inout CallMistakes) -> MappingModel? {
    guard isRegular(path),
      let bytes = FileSystem().contents(path, limit: JSONParser.maximumBytes)
    else { return nil }
    guard let root = try? JSONParser.parse(bytes, file: path),
      case .object(let members) = root.kind,
      members.contains(where: { $0.name == "entityMappings" })
    else { return nil }
    do throws(Diagnostics) {
      return try MappingDocument.decode(bytes, file: path)
    } catch {
      mistakes.add(inNamedFiles: error)
      return nil
    }
  }
}
