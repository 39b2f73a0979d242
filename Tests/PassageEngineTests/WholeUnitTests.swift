import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// What belongs to a store beside its plain tables comes along.
@Suite struct WholeUnitTests {
  @Test func `two join tables that become one both come along`() throws {
    func note(_ name: String) -> Entity {
      Entity(name, [.text("text")], [.many("tags", "Tag", inverse: name.lowercased() + "s")])
    }
    let source = Model(
      "1",
      [
        note("Memo"), note("Letter"),
        Entity(
          "Tag", [.text("name")],
          [
            .many("memos", "Memo", inverse: "tags"), .many("letters", "Letter", inverse: "tags"),
          ]),
      ])
    let destination = Model(
      "2",
      [note("Note"), Entity("Tag", [.text("name")], [.many("notes", "Note", inverse: "tags")])])
    func take(_ entity: String) -> String {
      """
      {"type": "transform", "source": "\(entity)", "destination": "Note",
       "attributes": {"text": {}}, "relationships": {"tags": {}}}
      """
    }
    let mappings = try mapping(
      [take("Memo"), take("Letter"), #"{"type": "copy", "source": "Tag", "destination": "Tag"}"#]
        .joined(separator: ", "))
    let trial = try Trial(source, destination, [mappings]) { store in
      let tags = try (1...3).map { try store.insert("Tag", ["name": .text("t\($0)")]) }
      let memos = try (1...2).map { try store.insert("Memo", ["text": .text("m\($0)")]) }
      let letter = try store.insert("Letter", ["text": .text("l1")])
      try store.relate(memos[0], "tags", to: [tags[0], tags[1]])
      try store.relate(memos[1], "tags", to: [tags[2]])
      try store.relate(letter, "tags", to: [tags[1], tags[2]])
    }
    let notes = try trial.migrate().contents["Note"]
    #expect(notes.map { $0.keys("tags") } == [[1, 2], [3], [2, 3]])
  }

  @Test func `values in files of their own travel with the store`() throws {
    func model(_ name: String) -> Model {
      let image = Attribute(name: "image", type: .binary, allowsExternalBinaryDataStorage: true)
      return Model(name, [Entity("Photo", name == "1" ? [image] : [image, .text("title")])])
    }
    let file = "8B1E4C1C-6C58-4C7D-9B8B-3C1F0E5D9A11"
    let copy = try mapping(#"{"type": "copy", "source": "Photo", "destination": "Photo"}"#)
    let trial = try Trial(model("1"), model("2"), [copy]) { store in
      let reference: [UInt8] = [2] + Array(file.utf8) + [0]
      _ = try store.insert("Photo", ["image": .blob(reference)])
    }
    let bytes = [UInt8](repeating: 7, count: 5_000)
    try FileManager.default.createDirectory(
      atPath: trial.directory.path(".old_SUPPORT/_EXTERNAL_DATA"),
      withIntermediateDirectories: true)
    try trial.directory.write(bytes, to: ".old_SUPPORT/_EXTERNAL_DATA/\(file)")
    try trial.run(to: "new.sqlite")
    #expect(trial.directory.contents(".new_SUPPORT/_EXTERNAL_DATA/\(file)") == bytes)
    #expect(trial.directory.contents(".old_SUPPORT/_EXTERNAL_DATA/\(file)") == bytes)
    try trial.runInPlace()
    #expect(trial.directory.contents(".old_SUPPORT/_EXTERNAL_DATA/\(file)") == bytes)
  }

  @Test func `a text that Core Data folded comes along, another is computed`() throws {
    func model(_ name: String, _ derivation: String) -> Model {
      let key = Attribute(name: "key", type: .string, derivation: derivation)
      return Model(
        name,
        [
          Entity(
            "Word",
            name == "1"
              ? [.text("text"), key]
              : [
                .text("text"), key, .number("length"),
              ])
        ])
    }
    let copy = try mapping(#"{"type": "copy", "source": "Word", "destination": "Word"}"#)
    let same = try Trial(model("1", "canonical:(text)"), model("2", "canonical:(text)"), [copy]) {
      _ = try $0.insert("Word", ["text": .text("Öl"), "key": .text("ol")])
    }
    let (contents, report) = try same.migrate()
    #expect(contents.object("Word", 1)?["key"] == .text("ol"))
    // No rule gives the hash of such an entity with certainty, which is said too.
    #expect(report.warnings.all.map(\.code) == ["MOD-130", "STO-201"])
    let other = try Trial(model("1", "canonical:(text)"), model("2", "uppercase:(text)"), [copy]) {
      _ = try $0.insert("Word", ["text": .text("Öl"), "key": .text("ol")])
    }
    let computed = try other.migrate()
    #expect(computed.contents.object("Word", 1)?["key"] == .text("ÖL"))
    #expect(computed.report.warnings.all.map(\.code) == ["MOD-130", "STO-201"])
  }

  @Test func `two models of one name are refused`() async throws {
    let trial = try Safety.trial()
    let twin = Model(
      name: Safety.source.name, entities: Safety.destination.entities)
    let manager = MigrationManager(source: Safety.source, destination: twin)
    let migration = manager.migrate(
      storeAt: trial.directory.url("old.sqlite"), to: trial.directory.url("new.sqlite"),
      mappings: trial.mappings)
    let error = await #expect(throws: MigrationError.self) { try await migration.value }
    #expect(error?.diagnostics.all.map(\.code) == ["PLN-022"])
  }
}
