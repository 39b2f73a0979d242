import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// The examples in Swift of pages, in the project that the tutorial makes.
struct PageExampleTests {
  /// The blocks of a page in a language.
  private static func blocks(_ page: String, _ language: String = "swift") throws -> [String] {
    try Repository.text("Sources/Passage/Passage.docc/\(page).md")
      .components(separatedBy: "```\(language)\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first.map { "\($0)\n" } }
  }

  @Test func `the tests of the page on testing pass`() throws {
    let project = try TutorialProject()
    try project.makeWithoutRunning()
    let blocks = try Self.blocks("TestingMigrations")
    #expect(blocks.count == 4)
    for (number, block) in blocks.enumerated() {
      try project.write(block, to: "Tests/MigrationPoliciesTests/Page\(number).swift")
    }
    let outcome = try project.shell("swift test")
    #expect(outcome.status == 0, "\(outcome.output)")
    // The tutorial's own two tests, and one of each block.
    #expect(outcome.output.contains("Test run with 6 tests"), "\(outcome.output)")
  }

  /// What an example takes from a module, and the module.
  private static let used: [(text: String, module: String)] = [
    ("Data(", "Foundation"), ("URL(", "Foundation"), ("FileManager", "Foundation"),
    ("@Test", "Testing"), ("#expect", "Testing"), (": MigrationPolicy {", "Passage"),
    ("StoreUpgrade(", "Passage"), ("StoreInstaller(", "Passage"), ("StoreFleet(", "PassageFleets"),
    ("Rehearsal(", "PassageTesting"),
  ]

  @Test func `every example imports what it uses`() throws {
    let folder = "Sources/Passage/Passage.docc"
    let pages = try FileManager.default.contentsOfDirectory(atPath: Repository.file(folder))
      .filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }.sorted()
    var (missing, count): ([String], Int) = ([], 0)
    for page in pages {
      for block in try Self.blocks(page) {
        count += 1
        for use in Self.used
        where block.contains(use.text) && !block.contains("import \(use.module)\n") {
          missing.append("\(page): \(use.text) without \(use.module)")
        }
      }
    }
    #expect(count > 20)
    #expect(missing == [])
  }

  /// A test that calls every function of the page on a store, and tells what they did.
  private static let driver = """
    import Foundation
    import Passage
    import PassageTesting
    import Testing

    @Test func `the functions of the page`() async throws {
      let folder = try TemporaryDirectory()
      let migrations = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Migrations")
      let url = folder.url("Notes.sqlite")
      // There is no store yet: nothing happens.
      try await openStore(at: url, migrations: migrations)
      let store = try TestStore(
        model: ModelFile.read(path: migrations.appending(path: "Notes 1.json").path), at: url.path)
      try store.insert("Note", ["title": "Milk"])
      try store.close()
      #expect(try await bytesToMigrate(storeAt: url, migrations: migrations) ?? 0 > 0)
      let report = try await upgrade(storeAt: url, migrations: migrations) { fraction, _ in
        #expect(fraction >= 0 && fraction <= 1)
      }
      #expect(report.outcome == .migrated)
      #expect(try await bytesToMigrate(storeAt: url, migrations: migrations) == nil)
      guard case .open = await start(storeAt: url, migrations: migrations) else {
        Issue.record("it does not open")
        return
      }
      #expect(options().keptStoresLimit == 2)
      try await takeBack(storeAt: url)
      #expect(try await bytesToMigrate(storeAt: url, migrations: migrations) != nil)
      // A store that nobody can migrate.
      try Data("no store".utf8).write(to: folder.url("Broken.sqlite"))
      let broken = await start(storeAt: folder.url("Broken.sqlite"), migrations: migrations)
      guard case .help = broken else {
        Issue.record("\\(broken)")
        return
      }
    }
    """

  @Test func `the functions of the page on the start of an app do what it says`() throws {
    let project = try TutorialProject()
    try project.makeWithoutRunning()
    let blocks = try Self.blocks("StartUp")
    #expect(blocks.count == 6)
    for (number, block) in (blocks + [Self.driver]).enumerated() {
      try project.write(block, to: "Tests/MigrationPoliciesTests/Page\(number).swift")
    }
    let outcome = try project.shell("swift test --filter functions")
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains("✔ Test \"the functions of the page\""), "\(outcome.output)")
  }

  /// The import that the README shows, with the database of the worked example.
  @Test func `the import of one line in the README makes a store`() throws {
    let readme = try Repository.text("README.md")
    let marked = try #require(
      readme.components(separatedBy: "<!-- test: import -->\n```sh\n").dropFirst().first)
    let line = try #require(marked.components(separatedBy: "\n```").first)
    #expect(line.hasPrefix("migrate --store ") && !line.contains("\n"))
    let folder = try TemporaryDirectory()
    try folder.copy(Repository.file("Tests/Examples/BankList/banklist.sql"), to: "banklist.sql")
    let package = try BuiltPackage()
    let made = try package.shell(
      "sqlite3 banklist.sqlite3 < banklist.sql && \(line)", in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let query = try StoreQuery(path: folder.path("Banks.sqlite"))
    #expect(
      try query.rows("SELECT Z_PK, ZNAME FROM ZFAILEDBANK ORDER BY 1").map { $0[0] }
        == [1, 2, 5, 9])
    #expect(
      try query.rows("SELECT ZSTATE FROM ZFAILEDBANK ORDER BY Z_PK").map { $0[0] }
        == ["ME", "KS", "NJ", "CO"])
    let piped = try #require(
      readme.components(separatedBy: "<!-- test: piped import -->\n```sh\n").dropFirst().first?
        .components(separatedBy: "\n```").first)
    let other = try package.shell(piped, in: folder.path)
    #expect(other.status == 0, "\(other.errors)")
    #expect(
      try StoreQuery(path: folder.path("PipedBanks.sqlite"))
        .rows("SELECT ZSTATE FROM ZFAILEDBANK ORDER BY Z_PK").map { $0[0] }
        == ["ME", "KS", "NJ", "CO"])
  }
}
