import Foundation
import MigrationPolicies
import Passage

/// What an app does at start-up, before it opens its store.
@main struct Notes {
  static func main() async throws {
    let folder = URL(filePath: FileManager.default.currentDirectoryPath)
    // An app ships both folders in its bundle: Bundle.main.resourceURL.
    let upgrade = StoreUpgrade(
      migrations: folder.appending(path: "Migrations"), policies: [NotePolicy.self])
    do {
      let report = try await upgrade.run(storeAt: folder.appending(path: "Notes.sqlite"))
      print(report.outcome == .upToDate ? "Nothing to do." : "Migrated.")
    } catch {
      // The store is as it was. The message says what is wrong, and what to do.
      print(error)
      exit(1)
    }
  }
}
