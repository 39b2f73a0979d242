internal import ArgumentParser
internal import Passage

/// Checks the first word of a call. Without this check, an unknown word would be parsed as an
/// argument of `run`, and the message would be misleading.
enum SubcommandName {
  /// - Parameters:
  ///   - word: the first argument, if there is one.
  ///   - known: the names of the subcommands.
  /// - Throws: ``MigrationError`` with `CMD-040` for a word that is not a subcommand. Options are
  ///   accepted.
  static func check(_ word: String?, among known: [String]) throws(MigrationError) {
    guard let word, !word.hasPrefix("-") else { return }
    guard !known.contains(word), word != "help" else { return }
    throw MigrationError(
      Diagnostic(
        "CMD-040", "there is no subcommand “\(word)”",
        remedy: nearest(to: word, in: known).map { "did you mean: migrate \($0)" }
          ?? "use one of: \(known.joined(separator: ", "))"))
  }
}
