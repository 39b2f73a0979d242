internal import ArgumentParser

/// Compares Passage with models, mapping models and stores that other programs made.
@main
struct PassageCorpus: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "passage-corpus",
    abstract: "Compares Passage with models, mapping models and stores that others made.",
    subcommands: [CheckCommand.self, DamageCommand.self, RehearseCommand.self])
}
