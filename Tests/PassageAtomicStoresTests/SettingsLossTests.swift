import Passage
import PassageDiagnostics
import PassageEngine
import PassageModels
import PassageTesting
import PassageValues
import TestSupport
import Testing

@testable import PassageAtomicStores

/// Settings under which a written file would read back with other values.
@Suite struct SettingsLossTests {
  static let model = Model(
    name: "M",
    entities: [
      Entity(
        name: "A",
        attributes: [
          Attribute(name: "code", type: .string), Attribute(name: "raw", type: .binary),
        ],
        relationships: [Relationship(name: "next", destinationEntityName: "A")])
    ])

  @Test(arguments: [
    #"{"type":"keyed","separator":"n"}"#, #"{"type":"keyed","separator":"r"}"#,
    #"{"type":"delimited","nullText":"a,b"}"#, #"{"type":"delimited","nullText":"\""}"#,
    #"{"type":"json-lines","identifierColumn":"key","ignored":["key"]}"#,
    #"{"type":"delimited","entityColumn":"kind","ignored":["kind"]}"#,
  ])
  func `settings that lose values are refused`(_ text: String) {
    #expect {
      try TextStoreSettings.decode(Array(text.utf8), file: "s.json")
    } throws: { error in
      (error as? Diagnostics)?.all.map(\.code) == ["ATM-017"]
    }
  }

  @Test(
    arguments: [
      #""entityColumn":"code""#, #""identifierColumn":"next""#, #""identifierColumn":"entity""#,
      #""entityColumn":"id""#, #""ignored":["id"]"#, #""ignored":["entity"]"#,
      #""ignored":["raw"]"#,
    ], ["delimited", "json-lines"])
  func `settings that lose values of the model are refused`(
    _ settings: String, _ type: String
  ) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("a.sqlite")
    let store = try TestStore(model: Self.model, at: path)
    try store.insert("A", ["code": "x"])
    try store.close()
    try folder.write(
      Array(#"{"type":"\#(type)",\#(settings)}"#.utf8), to: "b.\(type).store.json")
    let error = try #require(
      Conversion(model: Self.model).failure(path, to: folder.path("b.\(type)"), as: type))
    #expect(error.diagnostics.all.map(\.code) == ["ATM-017"])
    #expect(error.kind == .wrongFile)
  }

  @Test func `empty bytes are not nil beside a text for nil`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("a.sqlite")
    let store = try TestStore(model: Self.model, at: path)
    try store.insert("A", ["code": "x", "raw": .blob([])])
    try store.insert("A", ["code": "y"])
    try store.close()
    try folder.write(
      Array(#"{"type":"delimited","nullText":"NULL","quoting":"all"}"#.utf8),
      to: "b.csv.store.json")
    let conversion = Conversion(model: Self.model)
    try conversion.convert(path, to: folder.path("b.csv"), as: "delimited")
    try conversion.convert(folder.path("b.csv"), to: folder.path("c.sqlite"), as: nil)
    let made = try conversion.contents(folder.path("c.sqlite"))
    #expect(made["A"].map { $0["raw"] } == [.blob([]), .null])
  }
}
