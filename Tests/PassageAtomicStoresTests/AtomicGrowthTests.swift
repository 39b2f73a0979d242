import Passage
import PassageEngine
import PassageStores
import PassageTesting
import Testing

/// The danger that reading a store that is one file takes time by the square of its objects.
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
      let path = folder.path("\(count).\(type)")
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

  @Test(arguments: ["xml", "keyed", "delimited"])
  func `time to read a store grows with its objects`(type: String) throws {
    let files = try Files()
    let growth = try TimeGrowth(from: 100, doublings: 4) { count in
      let path = try files.path(count, type)
      let folder = try TemporaryDirectory()
      let found = try #require(StoreTypes.builtIn.type(ofFileAt: path))
      #expect(found.name == type)
      let staged = try StagedStore(path: folder.path("staged.sqlite"), model: Self.model)
      try found.open(path: path, as: Self.model).read(into: staged)
    }
    print("\(type), \(growth)")
    #expect(growth.ratio < TimeGrowth.bound, "\(type), \(growth)")
  }
}
