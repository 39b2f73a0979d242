import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// A file of delimited text without records is a table without rows.
struct HeaderOnlyTests {
  /// A file without records, settings beside it, and records that would follow.
  struct File: Sendable {
    var name = "Notes.csv"
    var text: String
    var settings: String?
    var records: String
  }

  static let tables = [
    File(text: "id,title,some text\n", records: "1,x,y\n"),
    File(text: "id,title,some text", records: "\n1,x,y\n"),
    File(text: "\n\r\nid,title\r\n\r\n", records: "1,x\r\n"),
    File(text: "\u{FEFF}\"id\",\"title\"\n", records: "1,x\n"),
    File(text: "id\n", records: "1\n"),
    File(text: "title\n", records: "x\n"),
    File(name: "Notes.tsv", text: "id\ttitle\n", records: "1\tx\n"),
    File(
      text: "key;title;none\n",
      settings: #","separator":";","entity":"A","identifierColumn":"key","ignored":["none"]"#,
      records: "1;x;y\n"),
    File(text: "id,n\n", settings: #","types":{"Note":{"n":"integer64"}}"#, records: "1,2\n"),
    File(
      text: "", settings: #","header":false,"entity":"A","columns":["id","title"]"#,
      records: "1,x\n"),
  ]

  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func write(_ file: File, withRecords: Bool = false) throws -> String {
    if let settings = file.settings {
      try folder.write(
        Array("{\"type\":\"delimited\"\(settings)}".utf8), to: "\(file.name).store.json")
    }
    let text = file.text + (withRecords ? file.records : "")
    return try folder.write(Array(text.utf8), to: file.name)
  }

  /// Reads a file with the model that it declares.
  private func contents(_ path: String) throws -> (model: Model, contents: StoreContents) {
    let conversion = Conversion(model: try ModelFile.read(path: path))
    let output = folder.path("\(UUID().uuidString).sqlite")
    try conversion.convert(path, to: output, as: nil)
    return (conversion.model, try conversion.contents(output))
  }

  @Test(arguments: tables)
  func `a header declares the same model with and without records`(file: File) throws {
    let empty = try contents(write(file))
    let entity = try #require(empty.model.entities.first)
    #expect(empty.contents[entity.name].isEmpty)
    let full = try contents(write(file, withRecords: true))
    #expect(full.contents[entity.name].count == 1)
    #expect(empty.model == full.model)
  }

  @Test(arguments: [
    ("entity,id,title\n", nil), ("@entity,@id,id\n", nil), ("", nil), ("\u{FEFF}", nil),
    ("\n", nil), ("\r\n\r\n", nil),
    ("", #","header":false,"entityColumn":"entity","entities":{"A":{"columns":["entity","id"]}}"#),
  ])
  func `a file whose records would name their entities declares none, and is read`(
    text: String, settings: String?
  ) throws {
    let file = File(text: text, settings: settings, records: "")
    #expect(try contents(write(file)).model.entities.isEmpty)
  }

  @Test func `a column that a given model does not have is a mistake without records, too`() throws
  {
    let path = try write(File(text: "id,titel\n", records: ""))
    let model = Model(
      name: "M",
      entities: [Entity(name: "Note", attributes: [Attribute(name: "title", type: .string)])])
    let error = try #require(
      Conversion(model: model).failure(path, to: folder.path("out.sqlite"), as: nil))
    #expect(error.diagnostics.all.map(\.code) == ["ATM-006"])
  }

  @Test func `a header that the settings deny is told`() throws {
    let settings =
      #","header":false,"entityColumn":"entity","entities":{"A":{"columns":["entity","id"]}}"#
    let path = try write(File(text: "entity,id\nA,1\n", settings: settings, records: ""))
    let model = try ModelFile.read(path: path)
    let error = try #require(
      Conversion(model: model).failure(path, to: folder.path("out.sqlite"), as: nil))
    let mistake = try #require(error.diagnostics.all.first)
    #expect(mistake.code == "ATM-005" && mistake.remedy?.contains("“header”") == true)
    #expect(mistake.remedy?.contains("did you mean") == false)
  }
}
