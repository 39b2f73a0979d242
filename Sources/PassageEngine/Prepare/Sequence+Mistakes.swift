internal import PassageDiagnostics
internal import PassageModels

extension Sequence<Model> {
  /// Refuses models that were made in code and have mistakes. Those of files were checked when they were
  /// read.
  ///
  /// - Throws: ``MigrationError`` with the mistakes of all of them, in the order of their names, with the
  ///   codes that mistakes in a model's file have.
  /// - Complexity: O(n) for n models that have been checked before.
  package func refuseMistakes() throws(MigrationError) {
    var found = Diagnostics()
    let wrong = filter { !$0.mistakes.isEmpty }.sorted { $0.name < $1.name }
    for model in wrong {
      for var mistake in model.mistakes {
        mistake.message = "in the model “\(model.name)”, \(mistake.message)"
        found.append(mistake)
      }
    }
    if found.hasErrors { throw MigrationError(found) }
  }
}
