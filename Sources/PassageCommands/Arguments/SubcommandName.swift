internal import ArgumentParser
internal import Passage

/// The first word of a call. Left to itself, a word that is no subcommand is taken for an argument of
/// `run`, and the message is about that.
enum SubcommandName {
  /// - Parameters:
  ///   - word: the first argument, if there is one.
  ///   - known: the names of the subcommands.
  /// - Throws: ``MigrationError`` with `CMD-040` for a word that is no subcommand. Options pass.
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
