/// Pairs the names of two versions: first equal names, then those with a common renaming
/// identifier.
struct NamePairs {
  typealias Named = (name: String, renamingIdentifier: String?)

  private(set) var both: [(old: String, new: String)] = []
  private(set) var onlyOld: [String] = []
  private(set) var onlyNew: [String] = []

  init(old: [Named], new: [Named]) {
    let oldNames = Set(old.map(\.name))
    let newNames = Set(new.map(\.name))
    // A renaming identifier is the name in the first version, so that it connects names across two
    // renames.
    var canonical: [String: String] = [:]
    for entry in old where !newNames.contains(entry.name) {
      canonical[entry.renamingIdentifier ?? entry.name] = entry.name
    }
    var renamed: Set<String> = []
    var seen: Set<String> = []
    for entry in new where seen.insert(entry.name).inserted {
      if oldNames.contains(entry.name) {
        both.append((entry.name, entry.name))
      } else if let former = entry.renamingIdentifier.flatMap({ canonical[$0] }),
        renamed.insert(former).inserted
      {
        both.append((former, entry.name))
      } else {
        onlyNew.append(entry.name)
      }
    }
    onlyOld = oldNames.filter { !newNames.contains($0) && !renamed.contains($0) }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    onlyNew.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    both.sort { $0.new.utf8.lexicographicallyPrecedes($1.new.utf8) }
  }
}
