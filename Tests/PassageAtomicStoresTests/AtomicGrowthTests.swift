import Passage
import PassageEngine
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// The danger that reading a store that is one file takes work by the square of its objects.
@Suite(.serialized) struct AtomicGrowthTests {
  private static let model: Model = {
    var note = Entity(
      name: "Note",
      attributes: [
        Attribute(name: "text", type: .string), Attribute(name: "size", type: .integer64),
      ])
    note.relationships = [
      Relationship(name: "next", destinationEntityName: "Note", inverseName: "previous"),
      Relationship(name: "previous", destinationEntityName: "Note", inverseName: "next"),
      Relationship(
        name: "parts", destinationEntityName: "Note", inverseName: "whole", maximumCount: 0),
      Relationship(name: "whole", destinationEntityName: "Note", inverseName: "parts"),
    ]
    return Model(name: "1", entities: [note])
  }()

  /// The files of each size that were written already.
  private final class Files {
    let folder: TemporaryDirectory
    private var written: Set<Int> = []

    init() throws { folder = try TemporaryDirectory() }

    func path(_ count: Int, _ type: String) throws -> String {
      let path = folder.path("\(count).\(type == "json-lines" ? "jsonl" : type)")
      guard written.insert(count).inserted else { return path }
      let start = folder.path("\(count).sqlite")
      let store = try TestStore(model: model, at: start)
      let whole = try store.insert("Note")
      var last = whole
      for number in 1..<count {
        last = try store.insert(
          "Note", ["text": .text("a < \(number)"), "size": .integer(Int64(number))],
          ["previous": [last], "whole": [whole]])
      }
      try store.close()
      try Conversion(model: model).convert(start, to: path, as: type)
      return path
    }
  }

  private static func read(_ path: String, _ type: String) throws {
    let folder = try TemporaryDirectory()
    let found = try #require(StoreTypes.builtIn.type(ofFileAt: path))
    #expect(found.name == type)
    let staged = try StagedStore(path: folder.path("staged.sqlite"), model: model)
    try found.open(path: path, as: model).read(into: staged)
  }

  @Test(arguments: ["xml", "keyed", "delimited", "json-lines"])
  func `steps to read a store grow with its objects`(type: String) throws {
    let files = try Files()
    let steps = try [500, 2_000].map { count in
      let path = try files.path(count, type)
      return try StatementSteps.count { try Self.read(path, type) }
    }
    // Four times the objects; steps by their square would be sixteen times as many.
    #expect(steps[0] > 0 && steps[1] < 5 * steps[0], "\(type): \(steps)")
  }

  /// Each object requires the one before it, and the first leads to nothing: they are quarantined one by one.
  @Test(arguments: ["xml", "json-lines"])
  func `a chain of quarantined objects is followed once`(type: String) throws {
    var link = Entity(name: "Link", attributes: [Attribute(name: "text", type: .string)])
    link.relationships = [
      Relationship(
        name: "before", destinationEntityName: "Link", inverseName: "after", isOptional: false),
      Relationship(
        name: "after", destinationEntityName: "Link", inverseName: "before", maximumCount: 0),
    ]
    let model = Model(name: "1", entities: [link])
    let folder = try TemporaryDirectory()
    func chain(_ count: Int) throws -> String {
      // A circle, in which nothing is missing.
      let lines = (1...count).map {
        #"{"entity": "Link", "id": \#($0), "before": \#($0 % count + 1)}"#
      }
      let text = lines.joined(separator: "\n") + "\n"
      let whole = try folder.write(Array(text.utf8), to: "\(count).jsonl")
      let path = folder.path("\(count)-broken.\(type == "xml" ? "xml" : "jsonl")")
      try Conversion(model: model).convert(whole, to: path, as: type)
      let name = StoreUnit(path: path).name
      let written = String(decoding: try #require(folder.contents(name)), as: UTF8.self)
      let broken =
        type == "xml"
        ? written.replacing("idrefs=\"z7\"", with: "idrefs=\"z999999\"")
        : written.replacing("\"before\":7}", with: "\"before\":999999}")
          .replacing("\"before\": 7}", with: "\"before\": 999999}")
      #expect(broken != written)
      try folder.write(Array(broken.utf8), to: name)
      return path
    }
    var steps: [Int] = []
    for count in [400, 1_600] {
      let path = try chain(count)
      steps.append(
        try StatementSteps.count {
          let report = try Conversion(model: model).convert(
            path, to: folder.path("\(count).sqlite"), as: nil, maximumQuarantined: .max)
          #expect(report.quarantined == count)
        })
    }
    #expect(steps[1] < 6 * steps[0], "\(type): \(steps)")
  }

  @Test(arguments: ["xml", "keyed", "delimited", "json-lines"])
  func `a store of many objects is read without hanging`(type: String) throws {
    let files = try Files()
    let path = try files.path(8_000, type)
    let seconds = try HangGuard.seconds { try Self.read(path, type) }
    #expect(seconds < HangGuard.bound, "\(type)")
  }
}
