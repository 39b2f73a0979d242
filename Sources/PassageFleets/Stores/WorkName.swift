internal import PassageEngine
internal import PassageStores

/// Names of files that SQLite or Passage made beside a store. A list of stores has them by mistake:
/// its pattern is too wide.
enum WorkName {
  /// What the file at a path is, as a phrase; `nil` for what may be a store.
  ///
  /// - Parameter exists: whether something is at a path.
  static func meaning(of path: String, exists: (String) -> Bool) -> String? {
    let unit = StoreUnit(path: path)
    if path.split(separator: "/").dropLast().contains(where: { $0.hasSuffix(".passage") }) {
      return "it is in the work folder of a run"
    }
    if unit.name.hasSuffix(".passage") { return "it is the work folder of a run" }
    if unit.name.hasSuffix(".quarantine.jsonl") {
      return "it lists the objects that a run left out"
    }
    for (end, what) in [
      ("-wal", "it is the log of a store"), ("-shm", "it is the index of a store's log"),
      ("-journal", "it is the rollback journal of a store"),
    ] where unit.name.hasSuffix(end) && exists(String(path.dropLast(end.count))) {
      return what
    }
    if let store = keptFor(unit, exists: exists), exists(store) {
      return "it is a store that was kept for \(store)"
    }
    if let source = migratedFrom(unit), exists(source) { return "it is the result of \(source)" }
    return nil
  }

  /// The path of the store for which a kept store has its name.
  private static func keptFor(_ unit: StoreUnit, exists: (String) -> Bool) -> String? {
    for reason in KeptStore.Reason.allCases {
      // By bytes: a version may begin with a mark that Swift takes into the character before it.
      guard let place = unit.name.utf8.firstRange(of: KeptName.mark(reason).utf8) else { continue }
      let name = String(unit.name[..<place.lowerBound])
      guard !name.isEmpty, KeptName(unit.name, of: name) != nil else { continue }
      let (store, end) = (unit.pathBeforeName + name, KeptStores.keptEnd)
      return name.hasSuffix(end) && !exists(store) ? String(store.dropLast(end.count)) : store
    }
    return nil
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
