internal import PassageStores

/// The commands about kept stores that messages name.
extension KeptStores {
  /// The command that lists the kept stores.
  package var listCommand: String {
    ShellText.command(["migrate", "restore", "--list"] + placeArguments)
  }

  /// The command that removes all but a number of them.
  package func pruneCommand(keeping count: Int) -> String {
    ShellText.command(["migrate", "prune", "--keep", "\(count)"] + placeArguments)
  }

  private var placeArguments: [String] {
    ["--store", store.path] + (folder == store.folder ? [] : ["--backup-dir", folder])
  }
}
