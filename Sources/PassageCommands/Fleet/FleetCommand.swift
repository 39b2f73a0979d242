internal import ArgumentParser

/// `migrate fleet`: migrates many stores.
struct FleetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet", abstract: "Migrates many stores, in shards.",
    discussion: """
      Each store is migrated as by run, and records itself that it is done: the same call again \
      looks at it and goes on. A shard is a part of the list; several calls, on one \
      machine or on many, do one each. What became of each store is a line of a ledger.

      Exit status 0: all stores are well. 50: some failed. 33: stopped, the same command continues.
      """,
    subcommands: [
      FleetRunCommand.self, FleetStatusCommand.self, FleetRetryCommand.self,
      FleetReportCommand.self, FleetTemplateCommand.self,
    ])
}
