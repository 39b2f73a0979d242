import Foundation
import Passage
import PassageEngine
import PassageModels
import PassageTesting
import Testing

/// Models that are made in code are checked as those of files are, before anything is written.
@Suite struct ModelInCodeTests {
  private static func attribute(_ value: Value, _ type: AttributeType) -> Entity {
    Entity("Wrong", [Attribute(name: "value", type: type, defaultValue: value)])
  }

  /// What no file could have, with its codes.
  private static let mistakes: [([Entity], [String])] = [
    ([attribute(.text("zz"), .integer16)], ["MOD-040"]),
    ([attribute(.integer(70_000), .integer16)], ["MOD-040"]),
    ([attribute(.real(.nan), .double)], ["MOD-040"]),
    ([Entity("Wrong"), Entity("Wrong")], ["MOD-011"]),
    ([Entity("Wrong", [.text("a"), .number("a")])], ["MOD-012"]),
    ([Entity("Wrong", [.text("a")], [.one("a", "Wrong")])], ["MOD-012"]),
    ([Entity("Wrong", [], [.one("a", "Nothing")])], ["MOD-020"]),
    ([Entity("Wrong", [], [.one("a", "Wrong", inverse: "b")])], ["MOD-021"]),
    ([Entity("Wrong", parent: "Nothing")], ["MOD-013"]),
    ([Entity("Wrong", parent: "Wrong")], ["MOD-014"]),
    (
      [Entity("Wrong", parent: "Other"), Entity("Other", parent: "Wrong")], ["MOD-014", "MOD-014"]
    ),
    (
      [Entity("Wrong", [.text("a")]), Entity("Other", parent: "Wrong", [.number("a")])],
      ["MOD-016"]
    ),
    ([Entity("")], ["MOD-010"]),
    ([Entity("X\0Y")], ["MOD-010"]),
    ([Entity("Wrong", [.text("")])], ["MOD-010"]),
    ([Entity("Wrong", [.text("X\0Y")], unique: [["X"]])], ["MOD-010", "MOD-030"]),
  ]

  /// The codes of the error with which a call ends, each with what it begins with.
  private static func findings(_ call: () async throws -> Void) async -> [String] {
    do {
      try await call()
      return []
    } catch let error as MigrationError {
      guard error.kind == .wrongFile else { return ["\(error.kind)"] }
      return error.diagnostics.map { "\($0.code) \($0.message.prefix(18))" }
    } catch {
      return ["\(error)"]
    }
  }

  @Test(arguments: mistakes)
  func `a mistake of one is refused, wherever it is handed in`(
    entities: [Entity], codes: [String]
  ) async throws {
    let trial = try Safety.trial()
    let (store, output) = (trial.directory.url("old.sqlite"), trial.directory.url("new.sqlite"))
    let wrong = Model("2", Safety.destination.entities + entities)
    let expected = codes.map { "\($0) in the model “2”, " }
    let manager = MigrationManager(source: Safety.source, destination: wrong)
    var inferring = MigrationOptions()
    inferring.allowed.inference = true
    for (mappings, options) in [(trial.mappings, MigrationOptions()), ([], inferring)] {
      let planned = await Self.findings {
        _ = try await manager.plan(
          storeAt: store, to: output, mappings: mappings, options: options)
      }
      #expect(planned == expected)
      let migrated = await Self.findings {
        _ = try await manager.migrate(
          storeInPlaceAt: store, mappings: mappings, options: options
        ).value
      }
      #expect(migrated == expected)
      let prepared = await Self.findings {
        _ = try manager.prepare(mappings: mappings, options: options)
      }
      #expect(prepared == expected)
    }
    let installed = await Self.findings {
      try await StoreInstaller(model: wrong).install(from: store, to: output)
    }
    #expect(installed == expected)
    let packed = await Self.findings {
      try await StorePacker(model: wrong).pack(storeAt: store, to: output)
    }
    #expect(packed == expected)
    #expect(trial.directory.names == ["old.sqlite"])
  }

  @Test func `what a file may have too, or only code can have, is no mistake`() throws {
    let model = Model(
      "2",
      [
        Entity("Base", [.text("name")]),
        // Declared again in the same way, a name that is no identifier, no inverse.
        Entity(
          "It's", parent: "Base", [.text("name"), .text("🚀")], [.one("other", "Base")],
          unique: [["🚀"]]),
      ])
    #expect(model.mistakes == [])
  }

  @Test func `a model of a file is checked once, where its places are known`() throws {
    let text = #"{"name": "1", "entities": [{"name": "A"}]}"#
    let read = try ModelDocument.decode(Array(text.utf8), file: "1.json")
    #expect(read.mistakes == [])
    #expect(read.recording(entities: [Entity("")]).mistakes == [])
    #expect(Model("1", [Entity("")]).recording(entities: []).mistakes.map(\.code) == ["MOD-010"])
  }
}
