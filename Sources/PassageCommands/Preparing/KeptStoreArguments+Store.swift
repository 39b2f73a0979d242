internal import Passage

extension KeptStoreArguments {
  /// The path of the store.
  ///
  /// - Throws: ``MigrationError`` with `CMD-004` when neither the call nor the history names it.
  func storePath() throws -> String {
    if let store { return store }
    var mistakes = CallMistakes(diskState: nil)
    let path = ProjectReader(project.places).project(&mistakes)?.storePath
    if path == nil {
      mistakes.add(
        Diagnostic("CMD-004", "no store is named", remedy: "name the store with --store FILE"))
    }
    try mistakes.throwIfErrors()
    return PathText.normalized(path ?? "")
  }
}
