import Passage
import PassageEngine
import PassageTesting
import Testing

/// Trying a filter on a store.
@Suite struct StoreSelectionTests {
  static let model: Model = {
    var note = Entity("Note", [.text("title"), Attribute(name: "weight", type: .integer64)])
    note.indexes = [Entity.Index(name: "byWeight", elements: [.init(propertyName: "weight")])]
    var memo = Entity("Memo", [.text("place")])
    memo.parentName = "Note"
    return Model("1", [note, memo])
  }()

  static func store(isLogKept: Bool = false) throws -> (TemporaryDirectory, String) {
    let directory = try TemporaryDirectory()
    let path = directory.path("notes.sqlite")
    let store = try TestStore(model: model, at: path, journalMode: .wal)
    for size in 1...50 {
      let title: Value = size % 10 == 0 ? .null : .text(size % 2 == 0 ? "Émile" : "ada \(size)")
      try store.insert("Note", ["title": title, "weight": .integer(Int64(size))])
    }
    for size in 1...5 { try store.insert("Memo", ["weight": .integer(Int64(size))]) }
    try store.close(isLogKept: isLogKept)
    return (directory, path)
  }

  static func selection(
    _ path: String, _ filter: String?, entity: String = "Note",
    _ change: (inout StoreSelection.Options) -> Void = { _ in }
  ) throws -> StoreSelection {
    var options = StoreSelection.Options()
    change(&options)
    return try StoreSelection(
      of: StoreFile.open(path: path), model: model, entity: entity, filter: filter, now: 0,
      options: options)
  }

  static func keys(_ selection: StoreSelection) throws -> [Int64] {
    var keys: [Int64] = []
    try selection.forEachKey { keys.append($0) }
    #expect(try selection.count() == Int64(keys.count))
    return keys
  }

  @Test(arguments: [
    "weight BETWEEN {10, 12}", "title == nil", "title ==[cd] 'emile'", "title MATCHES 'ada [1-3]'",
    "weight > 40 AND (title BEGINSWITH 'a' OR title == nil)", "NOT (title CONTAINS 'a')",
    "TRUEPREDICATE", "FALSEPREDICATE", "($w := weight * 2) > 20 AND $w < 30",
    "title != nil AND ($t := title.length) == 6 AND $t + weight > 20",
  ])
  func `SQL and memory select the same objects, whatever is asked for`(filter: String) throws {
    let (directory, path) = try Self.store()
    let inSQL = try Self.keys(Self.selection(path, filter))
    let inMemory = try Self.keys(Self.selection(path, filter) { $0.isInMemory = true })
    #expect(inSQL == inMemory)
    let others = try Self.keys(Self.selection(path, "NOT (\(filter))"))
    #expect((inSQL + others).sorted() == Array(1...50))
    _ = directory
  }

  @Test func `subentities are looked at where that is asked for`() throws {
    let (directory, path) = try Self.store()
    #expect(try Self.selection(path, "weight < 3").count() == 2)
    #expect(try Self.selection(path, "weight < 3") { $0.includesSubentities = true }.count() == 4)
    #expect(try Self.selection(path, nil, entity: "Memo").count() == 5)
    _ = directory
  }

  @Test func `an index of the store is used and named`() throws {
    let (directory, path) = try Self.store()
    let explained = try Self.selection(path, "weight == 7").explain()
    #expect(explained.indexes == ["Z_Note_byWeight"], "\(explained.access)")
    #expect(explained.constants.contains("7"))
    #expect(explained.inMemory.isEmpty)
    let whole = try Self.selection(path, "title CONTAINS 'x'").explain()
    #expect(!whole.indexes.contains("Z_Note_byWeight"), "\(whole.access)")
    _ = directory
  }

  @Test func `what is evaluated in memory is named with its reason`() throws {
    let (directory, path) = try Self.store()
    let explained = try Self.selection(path, "weight > 1 AND title != nil") { $0.isInMemory = true }
      .explain()
    #expect(explained.inMemory.map(\.text) == ["weight > 1", "title != nil"])
    #expect(explained.inMemory.allSatisfy { $0.reason == "it was requested" })
    _ = directory
  }

  @Test func `a store whose log was not copied back is read whole and left as it is`() throws {
    let (directory, path) = try Self.store(isLogKept: true)
    let before = ["notes.sqlite", "notes.sqlite-wal"].map { directory.contents($0) }
    #expect(try Self.selection(path, "weight >= 1").count() == 50)
    #expect(["notes.sqlite", "notes.sqlite-wal"].map { directory.contents($0) } == before)
  }

  @Test func `an unknown entity is an error with the nearest name`() throws {
    let (directory, path) = try Self.store()
    let error = try #require(throws: Diagnostics.self) {
      try Self.selection(path, nil, entity: "Notes")
    }
    #expect(error.all.map(\.code) == ["SEL-001"])
    #expect(error.all[0].remedy == "did you mean “Note”?")
    _ = directory
  }

  @Test(arguments: [false, true])
  func `an object that a function cannot read is an error with its key`(isInMemory: Bool) throws {
    let (directory, path) = try Self.store()
    let selection = try Self.selection(path, "parseNumber(title, 'en_US') > 1") {
      $0.isInMemory = isInMemory
    }
    let error = try #require(throws: Diagnostic.self) { try selection.count() }
    #expect(error.code == "SEL-002")
    #expect(error.message == "the filter cannot be evaluated for the object with key 1")
    #expect(error.reason?.hasPrefix("PRE-040: ") == true, "\(error)")
    #expect(error.remedy?.hasSuffix("exclude such objects before this part of the filter") == true)
    _ = directory
  }

  @Test func `the key of an object is found where another part has excluded others`() throws {
    let (directory, path) = try Self.store()
    let selection = try Self.selection(
      path, "weight > 4 AND title != nil AND parseNumber(title, 'en_US') > 1")
    let error = try #require(throws: Diagnostic.self) { try selection.forEachKey { _ in } }
    #expect(error.message.hasSuffix("for the object with key 5"))
    _ = directory
  }

  /// SQLite orders the texts of such a store by other bytes than memory.
  @Test func `a store of UTF-16 text is looked through in memory`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("notes.sqlite")
    let store = try TestStore(model: Self.model, at: directory.path("plain.sqlite"))
    for title in ["𝔘", "z", "\u{E000}", "ab"] { try store.insert("Note", ["title": .text(title)]) }
    try store.close()
    try TextRecoding.copy(directory.path("plain.sqlite"), to: path, encoding: "UTF-16le")
    let selection = try Self.selection(path, "title > 'z' AND weight == nil")
    #expect(try Self.keys(selection) == [1, 3])
    let reasons = try selection.explain().inMemory.map(\.reason)
    #expect(reasons == Array(repeating: "the store's text is in UTF-16", count: 2))
  }
}
