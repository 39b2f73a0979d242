package import PassageDiagnostics
package import PassageFiles
internal import PassageModels
internal import PassagePlatform
package import PassageStores

/// The old stores that are kept for a store, beside it or in a folder of their own.
///
/// Beside the store their names begin with the store's. A folder of its own may be shared by stores of one
/// name, such as those of many users, and their UUID may be the same too: there a mark of the store's
/// place follows the name (`App.sqlite.3f2a9c01d45be678.before-1`). It is the place as it is seen from the
/// folder: a store and its folder that are moved together, as with an app's container, belong together still.
///
/// A folder of external data is named after a store without its extension, and a kept store needs one of its
/// own: where the store's name has no extension, the kept store's has one more (`App.kept.before-1`).
package struct KeptStores: Sendable {
  package let store: StoreUnit
  /// Where they are kept.
  package let folder: String
  /// What the paths begin with.
  private let start: String
  /// What the names of this store's kept stores begin with.
  private let base: String
  /// What they began with in earlier versions of Passage, if with something else.
  private let formerBase: String?
  let files: FileSystem

  /// What the name of a copy ends with until it is complete.
  package static let copyEnd = ".copying"

  /// - Parameters:
  ///   - store: with no link in the place of the file.
  ///   - folder: where they are kept; `nil` for the store's own folder.
  package init(of store: StoreUnit, folder: String? = nil, files: FileSystem = FileSystem()) {
    self.store = store
    base = folder.map { Self.base(of: store, in: $0, files) } ?? Self.baseBeside(store)
    formerBase = base == Self.baseBeside(store) && base != store.name ? store.name : nil
    self.folder = folder ?? store.folder
    start =
      folder.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
      ?? store.pathBeforeName
    self.files = files
  }

  private static func base(of store: StoreUnit, in folder: String, _ files: FileSystem) -> String {
    let (own, kept) = (files.canonical(store.folder), files.canonical(folder))
    guard kept != own else { return baseBeside(store) }
    var place = ContentDigest()
    place.add(way(from: kept, to: own))
    place.add(store.name)
    return "\(store.name).\(place.text.prefix(KeptName.placeMarkCharacters))"
  }

  /// What names of stores that are kept beside a store begin with.
  private static func baseBeside(_ store: StoreUnit) -> String {
    let kept = StoreUnit(path: store.path + KeptName.mark(.before))
    return kept.supportPath == store.supportPath ? store.name + keptEnd : store.name
  }

  /// What the name of a store without an extension is followed by in those of its kept stores.
  package static let keptEnd = ".kept"

  /// The way from one folder to another, such as `../Documents`. Both are paths from the root, without
  /// links.
  private static func way(from start: String, to end: String) -> String {
    let (from, to) = (start.split(separator: "/"), end.split(separator: "/"))
    // Two folders may have names that differ only in how their letters are spelled.
    let shared = zip(from, to).prefix { $0.utf8.elementsEqual($1.utf8) }.count
    let up = Array(repeating: "..", count: from.count - shared)
    return (up + to.dropFirst(shared).map(String.init)).joined(separator: "/")
  }

  /// The first name of a version. A long version is shortened, so that the names of the store and of the
  /// files beside it are names that a file system allows; another that begins alike gets a number.
  package func name(_ reason: KeptStore.Reason, version: String) -> KeptName {
    let start = KeptName.start(reason, of: base)
    var room = KeptName.maximumBytes - start.utf8.count - Self.spareBytes
    guard version.utf8.count > room else { return KeptName(reason, version: version) }
    return KeptName(
      reason,
      version: String(
        version.prefix { character in
          room -= character.utf8.count
          return room >= 0
        }))
  }

  /// What may follow the version: a number, and of the names of the files beside a store what the longest
  /// one adds, that of the folder of external data.
  private static let spareBytes = KeptName.longestNumber.utf8.count + "._SUPPORT".utf8.count

  /// The path of a name in the folder.
  package func path(_ name: KeptName) -> String { path(name.text(of: base)) }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { start + name }

  /// Whether the store's name is of ASCII. Other letters may be spelled in several ways, which some file
  /// systems take for one name.
  private var isPlain: Bool { store.name.utf8.allSatisfy { $0 < 0x80 } }

  /// Whether the store had an old store in the folder when the folder was listed first, as far as that is
  /// known. One that came later has the first name of its version, if there was none before.
  package var mayHaveHadOldStores: Bool {
    get throws {
      guard let known = files.keptNames, isPlain else { return true }
      return try known.had(KeptName.start(.before, of: base), in: folder)
    }
  }

  /// Refuses a folder that cannot be listed. One that was listed for all stores of a fleet is not asked
  /// again.
  func checkFolder() throws {
    if files.keptNames != nil, isPlain {
      _ = try mayHaveHadOldStores
    } else {
      try FileSystem.checkNames(in: folder)
    }
  }

  /// The names that are taken, whatever has them.
  ///
  /// - Complexity: O(n) in the names of the folder, which may have a hundred thousand stores.
  private var names: [KeptName] {
    get throws { try fileNames.compactMap { KeptName($0, of: base) } }
  }

  /// The names of the files that may be kept stores.
  private var fileNames: [String] {
    get throws {
      try FileSystem.names(in: folder, beginningWith: isPlain ? (formerBase ?? base) + "." : "")
    }
  }

  /// The names that are taken by stores that were kept for a reason, whatever has them.
  package func names(_ reason: KeptStore.Reason) throws -> [KeptName] {
    try names.filter { $0.reason == reason }
  }

  /// The path for the next store that is kept, by the names that the folder has.
  package func next(_ reason: KeptStore.Reason, version: String) throws -> String {
    try next(reason, version: version, after: names(reason))
  }

  /// The path for the next store that is kept. Numbers rise, so that the highest is the newest even
  /// if some were removed. Beside the path is nothing that SQLite would take for a part of the store.
  ///
  /// - Parameter taken: the names that are taken for the same reason.
  package func next(
    _ reason: KeptStore.Reason, version: String, after taken: [KeptName]
  ) -> String {
    var name = self.name(reason, version: version)
    let numbers = taken.filter { $0.version == name.version }.map(\.number)
    name.number = (numbers.max() ?? 0) + 1
    while StoreUnit(path: path(name)).sidecarPaths.contains(where: { files.entry($0) != nil }) {
      name.number += 1
    }
    return path(name)
  }

  /// The kept stores, the one that was written last first.
  ///
  /// - Parameter storeUUID: the UUID of the store for which they are kept; `nil` when there is no
  ///   store.
  /// - Throws: `Diagnostics` with `RUN-003` for a folder of their own that does not exist.
  package func all(storeUUID: String?) throws -> [KeptStore] {
    guard folder == store.folder || files.isDirectory(folder) else {
      throw Diagnostics([Self.missingFolder(folder)])
    }
    return try fileNames.compactMap { fileName -> KeptStore? in
      if let name = KeptName(fileName, of: base) {
        return try kept(name, at: path(name), storeUUID)
      }
      let former = path(fileName)
      if let name = formerBase.flatMap({ KeptName(fileName, of: $0) }) {
        return try kept(name, at: former, storeUUID)
      }
      guard let name = KeptName(former: fileName, of: base), Self.isDatabase(former) else {
        return nil
      }
      return try kept(name, at: former, storeUUID)
    }.sorted {
      ($0.modified, $0.number, $0.path) > ($1.modified, $1.number, $1.path)
    }
  }

  /// `RUN-003` about a folder for kept stores.
  package static func missingFolder(_ folder: String) -> Diagnostic {
    NeededFolder.missing(folder, "the folder for kept stores")
  }

  /// Whether a file called like a log is a store that an earlier version of Passage kept under this name.
  static func isDatabase(_ path: String) -> Bool {
    (try? StoreFile.readHeader(path: path)) != nil
  }

  private func kept(
    _ name: KeptName, at path: String, _ storeUUID: String?
  ) throws -> KeptStore? {
    let unit = StoreUnit(path: path)
    let status: FileSystem.Status
    do throws(FileSystem.Failure) {
      status = try FileSystem.linkStatus(unit.path)
    } catch {
      // Where the system fails, the store is not missing.
      if error.isOfSystem { throw error }
      return nil
    }
    guard status.kind == .file,
      // An interrupted cut-over has given the store a second name.
      try files.identity(unit.path) != files.identity(store.path)
    else { return nil }
    let found = (try? StoreMetadata.read(path: unit.path))?.storeUUID
    let isOther = found != nil && storeUUID != nil && found != storeUUID
    return KeptStore(
      path: unit.path, reason: name.reason, version: name.version, number: name.number,
      bytes: unit.totalBytes - unit.externalBytes,
      modified: Date(timeIntervalSince1970: Double(status.modifiedNanoseconds) / 1e9),
      storeUUID: found, obstacle: found == nil ? .unreadable : isOther ? .otherStore : nil)
  }
}
