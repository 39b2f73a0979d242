import Passage
import PassageEngine
import PassagePlanning
import PassageTesting
import Testing

/// Versions in between that keep what one inferred step would lose.
@Suite struct InferredWayTests {
  static func renamed(_ name: String, from old: String) -> Attribute {
    Attribute(name: name, type: .string, renamingIdentifier: old)
  }

  static func model(_ name: String, _ attributes: Attribute...) -> Model {
    Model(name, [Entity("Note", attributes)])
  }

  static let versions = [
    model("Notes", .text("a"), .text("x")), model("Notes 2", renamed("b", from: "a"), .text("x")),
    model("Notes 9", renamed("b", from: "a"), .text("x"), .text("y")),
    model("Notes 10", renamed("c", from: "b"), .text("x")),
    model("Other", .text("z"), .text("d")),
  ]

  func names(_ from: Int, _ to: Int, among models: [Model] = versions) throws -> [String] {
    try InferredWay.mappings(from: models[from], to: models[to], among: models.reversed())
      .map { "\($0.source.value) > \($0.destination.value)" }
  }

  @Test func `a chain of renames goes through the version that records it`() throws {
    #expect(try names(0, 3) == ["Notes > Notes 2", "Notes 2 > Notes 10"])
    let remarks = try InferredWay.mappings(
      from: Self.versions[0], to: Self.versions[3], among: Self.versions)[0].remarks
    #expect(remarks.all.map(\.code) == ["RUN-085"])
    #expect(remarks.all[0].reason?.contains("“Note.a”") == true)
  }

  @Test func `one step is enough where nothing more is kept`() throws {
    #expect(try names(0, 1) == ["Notes > Notes 2"])
    #expect(try names(1, 3) == ["Notes 2 > Notes 10"])
    #expect(try names(0, 4) == ["Notes > Other"])
    #expect(try names(2, 3) == ["Notes 9 > Notes 10"])
  }

  @Test func `three renames need both versions in between`() throws {
    let models = [
      Self.model("V8", .text("a")), Self.model("V9", Self.renamed("b", from: "a")),
      Self.model("V10", Self.renamed("c", from: "b")),
      Self.model("V11", Self.renamed("d", from: "c")),
    ]
    #expect(try names(0, 3, among: models) == ["V8 > V9", "V9 > V10", "V10 > V11"])
    #expect(try names(0, 2, among: models) == ["V8 > V9", "V9 > V10"])
  }

  @Test func `relationships and entities that were renamed twice are kept too`() throws {
    func model(_ name: String, _ note: Entity, _ relationship: Relationship) -> Model {
      var note = note
      note.relationships = [relationship]
      return Model(name, [note, Entity("Tag", [.text("t")])])
    }
    var second = Entity("Page", [.text("a")])
    second.renamingIdentifier = "Note"
    var third = Entity("Leaf", [.text("a")])
    third.renamingIdentifier = "Page"
    func one(_ name: String, from old: String?) -> Relationship {
      var relationship = Relationship.one(name, "Tag")
      relationship.renamingIdentifier = old
      return relationship
    }
    let models = [
      model("1", Entity("Note", [.text("a")]), one("tag", from: nil)),
      model("2", second, one("mark", from: "tag")), model("3", third, one("sign", from: "mark")),
    ]
    #expect(try names(0, 2, among: models) == ["1 > 2", "2 > 3"])
  }

  @Test func `a way that loses something else is named, and not taken`() throws {
    let models = [
      Self.model("1", .text("a"), .text("x")), Self.model("2", Self.renamed("b", from: "a")),
      Self.model("3", Self.renamed("c", from: "b"), .text("x")),
    ]
    let mappings = try InferredWay.mappings(from: models[0], to: models[2], among: models)
    #expect(mappings.map(\.name) == ["Inferred 1 to 3"])
    let remark = try #require(mappings[0].remarks.all.first)
    #expect(remark.code == "RUN-086")
    #expect(remark.message.contains("“Note.a”"))
    #expect(remark.reason?.contains("“Note.x”") == true)
  }

  @Test func `a detour names the way that keeps what it loses, with a renamed entity too`() throws {
    func memo(_ name: String, _ attributes: Attribute..., from old: String?) -> Model {
      var memo = Entity("Memo", attributes)
      memo.renamingIdentifier = old
      return Model(name, [memo])
    }
    let models = [
      Self.model("B", .text("a"), .text("k")), Self.model("B 2", Self.renamed("b", from: "a")),
      memo("B 3", Self.renamed("c", from: "b"), .text("k"), from: "Note"),
      memo("B 10", .text("c"), .text("k"), .text("n"), from: nil),
    ]
    #expect(try names(0, 3, among: models) == ["B > B 3", "B 3 > B 10"])
    let remarks = try InferredWay.mappings(from: models[0], to: models[3], among: models)[0].remarks
    #expect(remarks.all.map(\.code) == ["RUN-085", "RUN-086"])
    #expect(remarks.all[0].reason?.contains("“Note.k”") == true)
    let remark = try #require(remarks.all.last)
    #expect(
      remark.message
        == "the migration from “B” to “B 10” through “B 3” loses the values of “Note.a”")
    #expect(
      remark.reason
        == "a migration through “B 2”, “B 3” would keep them, but lose those of “Note.k”")
  }

  @Test func `the store keeps the values, and the report says which way they came`() throws {
    let source = Self.versions[0]
    let target = Self.versions[3]
    let trial = try Trial(source, target, between: Array(Self.versions[1...2]), []) { store in
      try store.insert("Note", ["a": .text("kept"), "x": .text("y")])
    }
    var options = MigrationOptions()
    options.allowed.inference = true
    options.allowed.losses = .none
    let report = try trial.run(options: options)
    #expect(report.steps.map(\.destination) == ["Notes 2", "Notes 10"])
    #expect(report.warnings.all.map(\.code).contains("RUN-085"))
    #expect(report.losses == [])
    let found = try StoreContents(path: trial.directory.path("new.sqlite"), model: target)
    #expect(found["Note"].map { $0["c"] } == [.text("kept")])
    // Again: nothing is to do.
    #expect(try trial.run(options: options).outcome == .upToDate)
  }

  @Test(arguments: [
    ("Model", "Model 2", true), ("Model 2", "Model 10", true), ("Model 10", "Model 2", false),
    ("1", "2", true), ("v1.9", "v1.10", true), ("a", "a", false), ("a1", "a01", false),
    ("a1b", "a1c", true), ("a1", "ab", true), ("ab", "a1", false), ("", "a", true),
  ])
  func `names are ordered as people count`(a: String, b: String, precedes: Bool) {
    let models = [b, a].map { Self.model($0, .text("n")) }
    #expect(InferredWay.naturallyPrecedes(models[1].name, models[0].name) == precedes)
  }
}
