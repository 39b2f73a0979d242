import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// Functions of the library and registered ones in mapping models, in both lanes.
@Suite struct FunctionMigrationTests {
  static let source = Model("1", [Entity("Note", [.text("title"), .text("day")])])
  static let destination = Model(
    "2",
    [
      Entity(
        "Note",
        [
          .text("title"), .text("initials"), Attribute(name: "day", type: .date),
          Attribute(name: "identifier", type: .uuid),
        ])
    ])

  static let initials = ValueFunction("initialsOf:", takes: [.string], gives: .string) { values in
    let words = (values[0].string ?? "").split(separator: " ")
    return .text(words.compactMap(\.first).map { String($0) }.joined())
  }

  static func trial(
    _ day: String, days: [String], functions: [ValueFunction] = [initials]
  ) throws -> Trial {
    let mappings = try mapping(
      """
      {"type": "transform", "source": "Note", "destination": "Note",
       "filter": "length(initialsOf(title)) < 9",
       "attributes": {
         "title": "trim($source.title)", "initials": "initialsOf:($source.title)",
         "day": "\(day)", "identifier": "uuidFromSeed($source.title)"}}
      """)
    var trial = try Trial(Self.source, Self.destination, [mappings]) { store in
      for day in days {
        try store.insert("Note", ["title": .text(" Ada Lovelace "), "day": .text(day)])
      }
    }
    trial.functions = functions
    return trial
  }

  @Test func `both lanes call them and give one store`() throws {
    let (found, report) = try Self.trial(
      "parseDate($source.day, 'd.M.yyyy', 'UTC', 'de_DE')", days: ["29.2.2024", "1.1.2001"]
    ).migrate()
    #expect(report.steps.flatMap(\.mappings).map(\.lane) == [.set])
    let notes = found["Note"]
    #expect(notes.map { $0["title"] } == [.text("Ada Lovelace"), .text("Ada Lovelace")])
    #expect(notes.map { $0["initials"] } == [.text("AL"), .text("AL")])
    #expect(notes.map { $0["day"].double } == [730_857_600, 0])
    #expect(notes[0]["identifier"] == notes[1]["identifier"])
    #expect(notes[0]["identifier"].uuid != nil)
  }

  /// é as one scalar, and as a letter and an accent: equal to Swift, and to nobody else.
  @Test func `texts that differ only in how an accent is written stay apart`() throws {
    let forms = ["\u{E9}", "e\u{301}", "\u{E9}"]
    let trial = try Trial(
      Self.source, Model("2", Self.source.entities),
      [
        mapping(
          """
          {"type": "transform", "source": "Note", "destination": "Note",
           "filter": "title MATCHES '\(forms[0])' OR title MATCHES '\(forms[1])'",
           "attributes": {"title": {}, "day":
             "replaceMatches(replaceMatches($source.title, '\(forms[0])', 'one'), '\(forms[1])', 'two')"}}
          """)
      ]
    ) { store in
      for form in forms { try store.insert("Note", ["title": .text(form)]) }
    }
    let notes = try trial.migrate().contents["Note"]
    #expect(notes.map { $0["title"] } == forms.map(Value.text))
    #expect(notes.map { $0["day"] } == ["one", "two", "one"])
  }

  @Test func `a value that cannot be read names its object in both lanes`() throws {
    let trial = try Self.trial(
      "parseDate($source.day, 'd.M.yyyy', 'UTC', 'de_DE')",
      days: ["29.2.2024", "1.1.2001", "soon", "2.2.2002"])
    for options in Trial.ways {
      let failure = try trial.failure(options: options)
      #expect(failure.kind == .policyFailed)
      #expect(failure.codes == ["RUN-042"])
      #expect(failure.diagnostics.all[0].message.contains("the object with key 3"))
      #expect(failure.diagnostics.all[0].reason?.hasPrefix("PRE-040") == true)
    }
  }

  @Test func `the form with OrNull gives nil instead`() throws {
    let (found, _) = try Self.trial(
      "parseDateOrNull($source.day, 'd.M.yyyy', 'UTC', 'de_DE')", days: ["29.2.2024", "soon"]
    ).migrate()
    #expect(found["Note"].map { $0["day"].isNull } == [false, true])
  }

  @Test func `a function that is not registered is found by the plan`() throws {
    let trial = try Self.trial("nil", days: [], functions: [])
    #expect(try trial.failure().codes == ["PRE-015", "PRE-015"])
  }

  @Test func `a function that cannot be registered is found by the plan`() throws {
    let twice = ValueFunction("trim:", takes: [.string], gives: .string) { $0[0] }
    let trial = try Self.trial("nil", days: [], functions: [Self.initials, twice])
    #expect(try trial.failure().codes == ["PRE-043"])
  }
}
