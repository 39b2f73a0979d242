internal import PassageEngine
internal import PassageFiles
internal import PassageStores

/// The name of a file that SQLite or Passage made beside a store, or of the result of a run. A list of stores
/// has it by mistake: its pattern is too wide.
struct WorkName {
  /// What the file is, as a phrase.
  let meaning: String
  /// Whether it certainly belongs to a store: to one that is there, or to one whose old store it is by the
  /// form of its name.
  let belongsToStore: Bool

  /// - Returns: `nil` for the path of what may be a store.
  init?(_ path: String) {
    let unit = StoreUnit(path: path)
    if let found = Self.ofWork(unit) ?? Self.ofLog(unit) ?? Self.ofKept(unit) {
      self = found
    } else if let source = Self.migratedFrom(unit), Self.exists(source) {
      self.init("it is the result of \(source)", belongsToStore: false)
    } else {
      return nil
    }
  }

  private init(_ meaning: String, belongsToStore: Bool) {
    (self.meaning, self.belongsToStore) = (meaning, belongsToStore)
  }

  private static func exists(_ path: String) -> Bool { (try? FileSystem.status(path)) != nil }

  private static func isFile(_ path: some StringProtocol) -> Bool {
    (try? FileSystem.status(String(path)))?.kind == .file
  }

  // MARK: Kinds of files

  private static func ofWork(_ unit: StoreUnit) -> WorkName? {
    let end = ".passage"
    if unit.path.split(separator: "/").dropLast().contains(where: { $0.hasSuffix(end) }) {
      let stores = unit.path.utf8.ranges(of: "\(end)/".utf8).map { unit.path[..<$0.lowerBound] }
      return WorkName(
        "it is in the work folder of a run", belongsToStore: stores.contains { isFile($0) })
    }
    for (end, meaning) in [
      (end, "it is the work folder of a run"),
      (".quarantine.jsonl", "it lists the objects that a run left out"),
    ] where unit.name.hasSuffix(end) {
      return WorkName(meaning, belongsToStore: isFile(unit.path.dropLast(end.count)))
    }
    return nil
  }

  private static func ofLog(_ unit: StoreUnit) -> WorkName? {
    for (end, meaning) in [
      ("-wal", "it is the log of a store"), ("-shm", "it is the index of a store's log"),
      ("-journal", "it is the rollback journal of a store"),
    ] where unit.name.hasSuffix(end) {
      let store = String(unit.path.dropLast(end.count))
      if exists(store) { return WorkName(meaning, belongsToStore: isFile(store)) }
    }
    return nil
  }

  /// A store that is kept for another one, wherever that is, or beside one that is there.
  static func ofKept(_ unit: StoreUnit) -> WorkName? {
    if let name = KeptName.storeName(fromMarked: unit.name) {
      return WorkName("it is a store that was kept for another one, \(name)", belongsToStore: true)
    }
    guard let store = storesOfKept(unit).first(where: exists) else { return nil }
    return WorkName("it is a store that was kept for \(store)", belongsToStore: isFile(store))
  }

  /// The paths of the stores that an old store beside them, or a copy of it that is not complete, can be
  /// kept for by its name.
  private static func storesOfKept(_ unit: StoreUnit) -> [String] {
    let copyEnd = KeptStores.copyEnd
    let name = unit.name.hasSuffix(copyEnd) ? String(unit.name.dropLast(copyEnd.count)) : unit.name
    return KeptName.starts(in: name).map(String.init).filter {
      KeptName(name, of: $0) != nil || KeptName(former: name, of: $0) != nil
    }.flatMap { start in
      let (store, end) = (unit.pathBeforeName + start, KeptStores.keptEnd)
      return [store] + (start.hasSuffix(end) ? [String(store.dropLast(end.count))] : [])
    }
  }

  /// The path of the store that a run without a destination would have migrated to this one:
  /// `App.sqlite` for `App.migrated.sqlite`.
  private static func migratedFrom(_ unit: StoreUnit) -> String? {
    let mark = ".migrated"
    let folder = unit.pathBeforeName
    if unit.name.hasSuffix(mark) { return "\(folder)\(unit.name.dropLast(mark.count))" }
    guard let dot = unit.name.lastIndex(of: "."), unit.name[..<dot].hasSuffix(mark) else {
      return nil
    }
    return "\(folder)\(unit.name[..<dot].dropLast(mark.count))\(unit.name[dot...])"
  }
}
