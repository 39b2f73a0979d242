internal import CorpusPolicies
internal import PassageCommands

/// The command line with the corpus's policies compiled in.
@main
struct CorpusMigrate {
  static func main() async { await MigrateCommand.run(policies: CorpusPolicies.all) }
}
