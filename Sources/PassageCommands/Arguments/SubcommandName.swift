internal import ArgumentParser
internal import Passage

/// Checks the first word of a call, and the one after `fleet`. Without this check, an unknown word would
/// be parsed as an argument, and the message would be about another one.
enum SubcommandName {
  /// - Parameters:
  ///   - word: the first argument, if there is one.
  ///   - known: the names of the subcommands.
  ///   - group: the subcommand whose subcommands these are; `nil` for those of `migrate`.
  /// - Throws: ``MigrationError`` with `CMD-040` for a word that is not a subcommand. Options are
  ///   accepted.
  static func check(
    _ word: String?, among known: [String], of group: String? = nil
  ) throws(MigrationError) {
    guard let word, !word.hasPrefix("-") else { return }
    guard !known.contains(word), word != "help" else { return }
    throw MigrationError(
      Diagnostic(
        "CMD-040", "there is no subcommand “\(word)”\(group.map { " of \($0)" } ?? "")",
        remedy: nearest(to: word, in: known)
          .map { "did you mean: migrate \(group.map { "\($0) " } ?? "")\($0)" }
          ?? "use one of: \(known.joined(separator: ", "))"))
  }
}
