internal import Passage

extension KeptStoreArguments {
  /// The path of the store.
  ///
  /// - Throws: ``MigrationError`` with `CMD-004` when neither the call nor the history names it.
  func storePath() throws -> String {
    if let store { return store }
    var mistakes = CallMistakes(diskState: nil)
    let found = ProjectReader(project.places).project(&mistakes)
    let path = found?.storePath
    if path == nil { mistakes.addUnnamedStore(found) }
    try mistakes.throwIfErrors()
    return PathText.normalized(path ?? "")
  }

  /// What names the version of a store, as `status` does. A project with mistakes names none, because an
  /// old store can be put back without it.
  var versionName: @Sendable (_ path: String, _ hashes: [String: [UInt8]]) -> String? {
    let places = project.places
    return { path, hashes in
      var mistakes = CallMistakes(diskState: nil)
      guard let project = ProjectReader(places).project(&mistakes),
        let known = try? project.adoptingHashes(ofStoreAt: path)
      else { return nil }
      return known.model(withHashes: hashes)?.name
    }
  }
}
