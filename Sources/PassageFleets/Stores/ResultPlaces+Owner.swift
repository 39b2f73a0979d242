internal import PassageDiagnostics
package import PassageEngine
internal import PassageFiles
internal import PassageStores

extension ResultPlaces {
  /// Refuses a ledger whose path is that of a store, of a result, or of a file that belongs to one.
  ///
  /// - Throws: ``MigrationError`` with `RUN-060`.
  package func checkLedger(_ ledger: String, _ names: StoreNames) throws(MigrationError) {
    guard let store = try owner(ofFileAt: ledger, among: names) else { return }
    throw StoreList.refusal(
      Diagnostic(
        "RUN-060", "the ledger belongs to a store", at: SourceLocation(file: ledger),
        reason: "the path is that of \(store), or of a file beside it",
        remedy: "name another file with --ledger"))
  }

  /// The store or the result at whose path a file is, or beside which it would be its log, in its work folder,
  /// its kept store or its quarantine file. Neither the file nor the result need exist.
  ///
  /// - Parameter names: the stores of the whole list.
  /// - Returns: the path; `nil` if there is no such store.
  package func owner(
    ofFileAt path: String, among names: StoreNames
  ) throws(MigrationError) -> String? {
    let owners = Self.owners(ofFileAt: path)
      .union(Self.owners(ofFileAt: FileSystem().canonical(path)))
    // A store may be reached by other links or spellings too.
    let there = Set(owners.compactMap { File($0) })
    func isOwner(_ store: String) -> Bool {
      if owners.contains(Self.normal(store)) { return true }
      return !there.isEmpty && File(store).map { there.contains($0) } ?? false
    }
    for index in 0..<names.count {
      let store = names[index]
      if isOwner(store) { return store }
      if case .file(let result) = try destination(of: store), isOwner(result) { return result }
    }
    return nil
  }

  /// The stores to which a file at a path can belong by its name. It is searched by bytes, because a
  /// version may begin with a mark that Swift takes into the character before it.
  private static func owners(ofFileAt path: String) -> Set<String> {
    let path = normal(path)
    var owners: Set = [path]
    for end in StoreUnit(path: "").sidecarPaths.map(\.utf8)
    where path.utf8.suffix(end.count).elementsEqual(end) {
      owners.insert(String(Substring(path.utf8.dropLast(end.count))))
    }
    for mark in KeptStore.Reason.allCases.map(KeptName.mark) + [".passage", ".quarantine.jsonl"] {
      for found in path.utf8.ranges(of: mark.utf8) {
        owners.insert(String(path[..<found.lowerBound]))
      }
    }
    return owners
  }

  private static func normal(_ path: String) -> String {
    (path.hasPrefix("/") ? "/" : "") + parts(path).joined(separator: "/")
  }
}
