import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// A migration that another is compared with looks its links up in the source, so that the two are not wrong
/// in the same way.
@Suite struct LinkProofTests {
  /// Notes in folders, whose keys are moved: other objects come first in both tables.
  private static func trial() throws -> Trial {
    func model(_ name: String, _ others: [Entity]) -> Model {
      Model(
        name,
        [
          Entity(
            "Note", [.text("name")],
            [
              .one("folder", "Folder", inverse: "notes"), .one("next", "Note", inverse: "previous"),
              .one("previous", "Note", inverse: "next"), .many("tags", "Folder", inverse: "tagged"),
            ]),
          Entity(
            "Folder", [.text("name")],
            [
              .many("notes", "Note", inverse: "folder"), .many("tagged", "Note", inverse: "tags"),
            ]),
        ] + others)
    }
    let mappings = try mapping(
      ["Memo", "Note", "Box", "Folder"].map { entity in
        let isOther = ["Memo", "Box"].contains(entity)
        let kind = entity == "Memo" ? "Note" : entity == "Box" ? "Folder" : entity
        return isOther
          ? #"{"type": "transform", "source": "\#(entity)", "destination": "\#(kind)", "attributes": {"name": {}}}"#
          : #"{"type": "copy", "source": "\#(entity)", "destination": "\#(kind)"}"#
      }.joined(separator: ", "))
    return try Trial(
      model("1", [Entity("Memo", [.text("name")]), Entity("Box", [.text("name")])]),
      model("2", []), [mappings]
    ) { store in
      for number in 1...3 {
        try store.insert("Memo", ["name": .text("m\(number)")])
        try store.insert("Box", ["name": .text("b\(number)")])
      }
      let folders = try (1...2).map { try store.insert("Folder", ["name": .text("f\($0)")]) }
      let notes = try (1...4).map { number in
        try store.insert(
          "Note", ["name": .text("n\(number)")],
          ["folder": [folders[number % 2]], "tags": [folders[number % 2]]])
      }
      try store.relate(notes[0], "next", to: [notes[1]])
      try store.relate(notes[1], "previous", to: [notes[0]])
    }
  }

  private static var options: MigrationOptions {
    var options = MigrationOptions()
    options.lane = .row
    options.provesLinks = true
    return options
  }

  @Test func `links that are those of the source are proved`() throws {
    #expect(try Self.trial().run(options: Self.options).outcome == .migrated)
  }

  /// What a fault in the sums would write: links to objects of other mappings, or of the same one.
  @Test(arguments: [
    ("UPDATE ZNOTE SET ZFOLDER = 3 WHERE Z_PK = 4", "Note.folder"),
    ("UPDATE ZNOTE SET ZFOLDER = 1 WHERE Z_PK = 1", "Note.folder"),
    ("UPDATE ZNOTE SET ZFOLDER = 9 - ZFOLDER WHERE Z_PK = 5", "Note.folder"),
    ("UPDATE ZNOTE SET ZNEXT = 2 WHERE Z_PK = 7", "Note.next"),
    ("UPDATE ZNOTE SET ZPREVIOUS = 6 WHERE Z_PK = 4", "Note.previous"),
    ("INSERT INTO Z_2TAGS VALUES (2, 7)", "Note.tags"),
    ("INSERT INTO Z_2TAGS VALUES (5, 7)", "Note.tags"),
  ])
  func `a link that the source does not have is told`(sql: String, relationship: String) throws {
    let trial = try Self.trial()
    let table = try #require(StoreLayout(model: trial.destination).joinTables.first)
    let isOfNotes = table.owner.entityName == "Note"
    let columns = (isOfNotes ? [table.other, table.owner] : [table.owner, table.other])
      .map(\.column).joined(separator: ", ")
    let statement = sql.replacing("Z_2TAGS", with: "\(table.name) (\(columns))")
    try trial.finishPass(options: Self.options, then: statement)
    let error = try trial.failure(options: Self.options)
    #expect(error.codes == ["RUN-036"])
    #expect(error.kind == .verificationFailed)
    #expect("\(error)".contains("“\(relationship)”") || relationship == "Note.tags", "\(error)")
    // Without the proof it is not noticed.
    var options = Self.options
    options.provesLinks = false
    let other = try Self.trial()
    try other.finishPass(options: options, then: statement)
    #expect(try other.run(options: options).outcome == .migrated)
  }

  /// Notes, folders and others in one table, whose keys are moved. A damaged source has a link from or to the other
  /// one.
  private static func damaged(_ sql: (_ pairs: String) -> String) throws -> Trial {
    func model(_ name: String, _ others: [Entity]) -> Model {
      Model(
        name,
        [
          Entity("Base", isAbstract: true, [.text("name")]),
          Entity(
            "Folder", parent: "Base", [],
            [
              .many("notes", "Note", inverse: "folder"), .many("tagged", "Note", inverse: "tags"),
            ]),
          Entity(
            "Note", parent: "Base", [],
            [
              .one("folder", "Folder", inverse: "notes"),
              .many("tags", "Folder", inverse: "tagged"),
            ]),
          Entity("Other", parent: "Base"),
        ] + others)
    }
    let box =
      #"{"type": "transform", "source": "Box", "destination": "Folder", "attributes": {"name": {}}}"#
    let copies = ["Folder", "Note", "Other"].map {
      #"{"type": "copy", "source": "\#($0)", "destination": "\#($0)"}"#
    }
    let trial = try Trial(
      model("1", [Entity("Box", [.text("name")])]), model("2", []),
      [mapping(([box] + copies).joined(separator: ", "))]
    ) { store in
      for number in 1...2 { try store.insert("Box", ["name": .text("b\(number)")]) }
      let folder = try store.insert("Folder", ["name": .text("f")])
      for number in 1...3 {
        try store.insert(
          "Note", ["name": .text("n\(number)")], ["folder": [folder], "tags": [folder]])
      }
      try store.insert("Other", ["name": .text("o")])
    }
    let table = try #require(StoreLayout(model: trial.source).joinTables.first)
    let ends =
      table.owner.entityName == "Note" ? (table.owner, table.other) : (table.other, table.owner)
    try Connection(path: trial.sourcePath, mode: .readWrite).execute(
      sql("\(table.name) (\(ends.0.column), \(ends.1.column))"))
    return trial
  }

  /// What such a link becomes leads to an object of another entity too, so that neither is one.
  @Test(arguments: [
    "UPDATE ZBASE SET ZFOLDER = 5 WHERE Z_PK = 2", "INSERT INTO PAIRS VALUES (2, 5)",
    "INSERT INTO PAIRS VALUES (5, 1)",
  ])
  func `a link of the source to an object of another entity is no finding`(sql: String) throws {
    let trial = try Self.damaged { sql.replacing("PAIRS", with: $0) }
    for (number, way) in Trial.ways.enumerated() {
      var options = way
      options.provesLinks = true
      let report = try trial.run(to: "new-\(number).sqlite", options: options)
      #expect(report.outcome == .migrated)
    }
  }
}
