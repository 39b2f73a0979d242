internal import ArgumentParser

/// Holds Passage against models, mapping models and stores that other programs made.
@main
struct PassageCorpus: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "passage-corpus",
    abstract: "Holds Passage against models, mapping models and stores that others made.",
    subcommands: [CheckCommand.self, DamageCommand.self])
}
