import Foundation
import MigrationPolicies
import Passage
import PassageTesting
import Testing

struct NotePolicyTests {
  private static let migrations = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Migrations")

  private static func model(_ path: String) throws -> Model {
    try ModelFile.read(path: "\(migrations.path)/\(path)")
  }

  /// Made-up stores of every version go every way to the newest one.
  @Test func `every version can be migrated`() throws {
    let report = try Rehearsal(migrations: Self.migrations, policies: [NotePolicy.self]).run()
    #expect(report.failures == [])
  }

  @Test(arguments: [("Call her on Monday", 4), (" one\n two ", 2), ("", 0)])
  func `the words of a text are counted`(text: String, count: Int64) async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("Notes.sqlite")
    let store = try TestStore(model: Self.model("Notes 1.json"), at: path)
    try store.insert("Note", ["text": .text(text)])
    try store.insert("Note")  // Neither title nor text: the filter leaves it out.
    try store.close()

    try await StoreUpgrade(migrations: Self.migrations, policies: [NotePolicy.self])
      .run(storeAt: folder.url("Notes.sqlite"), to: "Notes 2")

    let after = try StoreContents(path: path, model: Self.model("Notes 2.json"))
    #expect(after["Note"].map { $0["words"] } == [.integer(count)])
  }
}
