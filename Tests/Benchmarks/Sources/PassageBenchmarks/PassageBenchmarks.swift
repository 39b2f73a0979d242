internal import ArgumentParser

/// Everything that is measured.
@main
struct PassageBenchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "passage-benchmarks", abstract: "Measures migrations.",
    subcommands: [Measure.self, Peers.self], defaultSubcommand: Measure.self)
}
