import Passage
import PassageCommands

/// The command line with the policies of the example compiled in. Yours is made the same way: an
/// executable target that depends on `PassageCommands` and lists its own policies here.
@main
struct Migrate {
  @MainActor static func main() async {
    await MigrateCommand.run(policies: [PrintedDatePolicy.self])
  }
}
