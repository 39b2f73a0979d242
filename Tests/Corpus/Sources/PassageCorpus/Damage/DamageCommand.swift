internal import ArgumentParser

/// `passage-corpus damage`: gives damaged stores to the command line.
struct DamageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "damage", abstract: "Gives damaged stores to the command line.")

  @Argument(help: "The folder.") var corpus: String
  @Option(help: "The migrate program.") var program: String

  func run() async throws {}
}
