internal import PassageFiles
internal import Passage
internal import PassagePlatform

/// What `inspect` was pointed to.
enum InspectedFile {
  case store
  /// A mapping model, with what its reader has to say about it.
  case mapping(MappingModel, Diagnostics)
  case model(ReadModel)

  /// Tells the kind by what is in the file; one that is nothing known but has a store's name is taken
  /// for a store, whose reader says best what is wrong with it.
  ///
  /// - Parameter models: where the models of an Xcode mapping model may be.
  /// - Throws: ``MigrationError``.
  init(path: String, models: () -> [Model] = { [] }) throws {
    let type = CommandContext.storeTypes.type(ofFileAt: path)
    if Self.isStore(path), type == nil {
      self = .store
      return
    }
    var mistakes = CallMistakes(diskState: nil)
    if let mapping = Self.mapping(path, &mistakes) {
      self = .mapping(mapping, Diagnostics())
      return
    }
    if XcodeMappingReader.recognizes(path: path) {
      do throws(Diagnostics) {
        let read = try XcodeMappingReader.read(path: path, among: models())
        self = .mapping(read.mapping, read.notes)
        return
      } catch {
        // Another Core Data XML store is no damaged mapping model.
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
      if error.all.contains(where: { $0.code == "MOD-101" }), Self.isNamedLikeAStore(path) {
        self = .store
        return
      }
      mistakes.add(inNamedFiles: error)
    }
    try mistakes.throwIfErrors()
    self = .store
  }

  /// An SQLite file, or an empty one.
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

  private static func isRegular(_ path: String) -> Bool {
    (try? FileSystem.status(path))?.kind == .file
  }

  /// The mapping model in a JSON file that has entity mappings; `nil` for any other file.
  private static func mapping(_ path: String, _ mistakes: inout CallMistakes) -> MappingModel? {
    guard isRegular(path), path.hasSuffix(".json"),
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
