internal import ArgumentParser
internal import Passage

/// Checks the first word of a call, and the one after `fleet`, also those whose help is wanted. Without this
/// check, an unknown word would be parsed as an argument, and the message would be about another one.
enum SubcommandName {
  /// - Parameters:
  ///   - arguments: those of the call.
  ///   - program: the command that has the subcommands.
  ///   - fleet: the subcommand that has subcommands of its own.
  /// - Throws: ``MigrationError`` with `CMD-040` for a word that is not a subcommand.
  static func check(
    _ arguments: some Collection<String>, of program: CommandConfiguration,
    and fleet: CommandConfiguration
  ) throws(MigrationError) {
    let words = Array(arguments.first == "help" ? arguments.dropFirst() : arguments[...])
    try check(words.first, among: names(of: program))
    guard let group = fleet.commandName, words.first == group else { return }
    try check(words.dropFirst().first, among: names(of: fleet), of: group)
  }

  /// The arguments of a call whose options stand before its subcommand, with the subcommand first.
  ///
  /// - Parameters:
  ///   - arguments: those of the call.
  ///   - program: the command that has the subcommands.
  ///   - isUnexpected: whether a word is one that the parser did not expect, and not the value of an option.
  /// - Returns: `nil` for any other call.
  static func first(
    in arguments: [String], of program: CommandConfiguration, where isUnexpected: (String) -> Bool
  ) -> [String]? {
    guard arguments.first?.hasPrefix("-") == true else { return nil }
    let known = names(of: program)
    guard let place = arguments.firstIndex(where: { known.contains($0) && isUnexpected($0) }) else {
      return nil
    }
    return Array(arguments[place...] + arguments[..<place])
  }

  private static func names(of configuration: CommandConfiguration) -> [String] {
    configuration.subcommands.compactMap { $0.configuration.commandName }
  }

  /// - Parameters:
  ///   - word: the first argument, if there is one.
  ///   - known: the names of the subcommands.
  ///   - group: the subcommand whose subcommands these are; `nil` for those of `migrate`.
  /// - Throws: ``MigrationError`` with `CMD-040` for a word that is not a subcommand. Options are
  ///   accepted.
  private static func check(
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
