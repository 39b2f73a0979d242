import Foundation
import Passage
import PassageFleets
import PassageTesting
import Testing

/// The library's fleet of stores that are not files here.
struct StoreFleetTransferTests {
  private let shelf: ObjectShelf

  init() throws { shelf = try ObjectShelf() }

  private var fleet: StoreFleet {
    StoreFleet(migrations: URL(filePath: shelf.directory.path("Migrations")))
  }

  private func transfer(fetch: String? = nil) -> StoreFleet.Transfer {
    let client = "sh \(shelf.directory.path("client"))"
    return StoreFleet.Transfer(
      exists: "\(client)/look {name}", fetch: fetch ?? "\(client)/get {name} {path}",
      publish: "\(client)/put {name} {path} {mark} {version}",
      scratch: URL(filePath: shelf.directory.path("scratch")),
      environment: ["PATH": "/usr/bin:/bin"], timeLimit: .seconds(60))
  }

  private var options: StoreFleet.Options {
    var options = StoreFleet.Options()
    options.migration.allowed.inference = true
    return options
  }

  @Test func `stores are fetched, migrated and published`() async throws {
    for name in ["a", "b"] { try shelf.put(name) }
    let run = fleet.run(
      named: ["a", "b", "missing"], through: transfer(), to: "2", options: options)
    var outcomes: [String: StoreFleet.Result.Outcome] = [:]
    for await result in run.results { outcomes[result.name] = result.outcome }
    #expect(outcomes == ["a": .migrated, "b": .migrated, "missing": .failed])
    #expect(try shelf.version("a") == "2")
    #expect(try shelf.version("b") == "2")
    #expect(shelf.publicationCount == 2)
    let again = try await fleet.run(
      named: ["a", "b"], through: transfer(), to: "2", options: options
    ).value
    #expect(again.upToDate == 2 && shelf.publicationCount == 2)
  }

  /// The file of quarantined objects would go with the scratch folder.
  @Test func `objects of stores that are published cannot be quarantined`() async throws {
    try shelf.put("a")
    var options = options
    options.migration.allowed.quarantined = 5
    do {
      _ = try await fleet.run(named: ["a"], through: transfer(), to: "2", options: options).value
      Issue.record("it runs")
    } catch {
      #expect(error.diagnostics.first?.code == "FLT-083")
    }
    #expect(shelf.calls == [])
  }

  @Test func `a text that is no command is refused before anything is fetched`() async throws {
    try shelf.put("a")
    do {
      _ = try await fleet.run(
        named: ["a"], through: transfer(fetch: "get {nam}"), to: "2", options: options
      ).value
      Issue.record("it runs")
    } catch {
      #expect(error.diagnostics.first?.code == "FLT-070")
    }
    #expect(shelf.calls == [])
  }
}
