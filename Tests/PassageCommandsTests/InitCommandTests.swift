import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// `init`: a project of models.
struct InitCommandTests {
  private static let mapping = "Mappings/Notes 1 to Notes 2.json"

  private static let plain = [
    mapping, "Mappings/Schemas/mapping.schema.json", "Migrations/Notes 1.json",
    "Migrations/Notes 2.json", "Migrations/Schemas/history.schema.json",
    "Migrations/Schemas/model.schema.json", "Migrations/history.json",
  ]

  /// The command that the text says to run next.
  private func next(_ outcome: MigrateProcess.Outcome) throws -> String {
    let line = try #require(outcome.output.split(separator: "\n").last { $0.hasPrefix("Next: ") })
    let words = line.dropFirst("Next: ".count)
    return String(words.firstRange(of: ", then ").map { words[$0.upperBound...] } ?? words[...])
  }

  // MARK: A project

  @Test func `what can be inferred runs as it is`() throws {
    let project = try NotesProject([NotesProject.old, NotesProject.wider])
    #expect(
      try project.migrate(
        "create", "--model", "\(NotesProject.bundle):Notes 1", "--output", "Notes.sqlite"
      ).status == 0)
    let made = try project.migrate("init", NotesProject.bundle, "--store", "Notes.sqlite")
    #expect(made.status == 0, "\(made.errors)")
    #expect(project.made == (Self.plain + ["Notes.sqlite"]).sorted())
    #expect(made.output.contains("“Notes 1” to “Notes 2”: inferred"))
    #expect(try project.migrate("status").status == 10)
    let plan = try BuiltPackage().shell(next(made), in: project.folder.path)
    #expect(plan.status == 0, "\(plan.errors)")
    let run = try project.migrate("run")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try project.migrate("status", "--store", "Notes.migrated.sqlite").status == 0)
  }

  @Test func `a draft is refused until its marks are removed, and then runs`() throws {
    let project = try NotesProject()
    try project.makeStore()
    let made = try project.migrate("init", NotesProject.bundle, "--store", "Notes.sqlite")
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.contains("2 places to decide in \(Self.mapping)"))
    #expect(made.output.contains("IEM_Transform_Note.stars  INF-004"))
    let refused = try project.migrate("plan")
    #expect(refused.status == 65 && refused.errors.contains("MAP-040"))
    try project.acceptDraft(Self.mapping)
    let run = try project.migrate("run", "--output", "New.sqlite")
    #expect(run.status == 0, "\(run.errors)")
    let contents = try StoreContents(
      path: project.folder.path("New.sqlite"),
      model: ModelFile.read(path: project.folder.path("Migrations/Notes 2.json")))
    #expect(contents["Note"].map { $0["stars"] } == [4, 2, .null])
    #expect(contents["Note"].map { $0["words"] } == [0, 0, 0])
  }

  @Test func `a project works without a store`() throws {
    let project = try NotesProject([NotesProject.old, NotesProject.wider])
    let made = try project.migrate("init", NotesProject.bundle, "--output", "It's new")
    #expect(made.status == 0, "\(made.errors)")
    #expect(try next(made) == #"cd 'It'\''s new' && migrate rehearse"#)
    let rehearsed = try BuiltPackage().shell(next(made), in: project.folder.path)
    #expect(rehearsed.status == 0, "\(rehearsed.output)\(rehearsed.errors)")
  }

  @Test func `several bundles and files are versions in the order of the call`() throws {
    let project = try NotesProject([NotesProject.old, NotesProject.wider])
    try project.folder.write(
      #"{"name": "Beginning", "entities": [{"name": "Note"}]}"#, to: "Beginning.json")
    let made = try project.migrate(
      "init", "Beginning.json", NotesProject.bundle, "--output", "p", "--format", "json")
    let json = try made.json
    #expect(json["versions"]?.elements.map(\.text) == ["Beginning", "Notes 1", "Notes 2"])
    #expect(json["steps"]?.elements.map { $0["from"]?.text } == ["Beginning", "Notes 1"])
    #expect(json["outcome"]?.text == "made")
    #expect(json["next"]?.text == "cd p && migrate rehearse")
  }

  @Test func `models can be named where they are`() throws {
    let project = try NotesProject([NotesProject.old, NotesProject.wider])
    try project.makeStore()
    let made = try project.migrate(
      "init", NotesProject.bundle, "--output", "tools/migration", "--reference", "--store",
      "Notes.sqlite")
    #expect(made.status == 0, "\(made.errors)")
    #expect(!project.made.contains("tools/migration/Migrations/Notes 1.json"))
    let history = try JSONParser.parse(
      project.folder.contents("tools/migration/Migrations/history.json") ?? [], file: "history")
    #expect(history["store"]?.text == "../../../Notes.sqlite")
    #expect(
      history["versions"]?.elements.map { $0["model"]?.text } == [
        "../../../\(NotesProject.bundle):Notes 1", "../../../\(NotesProject.bundle):Notes 2",
      ])
    let run = try MigrateProcess.run(["run"], in: project.folder.path("tools/migration"))
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `one version is a project without a step`() throws {
    let project = try NotesProject([NotesProject.old])
    try project.makeStore()
    let made = try project.migrate("init", NotesProject.bundle, "--store", "Notes.sqlite")
    #expect(made.status == 0 && made.output.contains("There is one version"))
    #expect(try project.migrate("status").status == 0)
  }

  @Test func `quiet prints no report`() throws {
    let project = try NotesProject()
    let made = try project.migrate("init", NotesProject.bundle, "--quiet")
    #expect(made.status == 0 && made.output.isEmpty && made.errors.isEmpty)
    #expect(project.made == Self.plain)
  }

  // MARK: Files that are there

  @Test func `the same call again changes nothing`() throws {
    let project = try NotesProject()
    try #require(try project.migrate("init", NotesProject.bundle).status == 0)
    let before = project.made.map { project.folder.contents($0) }
    let again = try project.migrate("init", NotesProject.bundle, "--format", "json")
    #expect(try again.json["outcome"]?.text == "unchanged")
    #expect(project.made.map { project.folder.contents($0) } == before)
  }

  @Test func `one file that differs stops all, and force replaces it`() throws {
    let project = try NotesProject()
    try project.folder.write("mine", to: Self.mapping)
    let refused = try project.migrate("init", NotesProject.bundle)
    #expect(refused.status == 64 && refused.errors.contains("CMD-030"))
    #expect(project.made == [Self.mapping])
    #expect(try project.migrate("init", NotesProject.bundle, "--force").status == 0)
    #expect(project.made == Self.plain)
    #expect(project.folder.contents(Self.mapping) != Array("mine".utf8))
  }

  @Test func `a folder in the place of a file is refused before anything is written`() throws {
    let project = try NotesProject()
    try project.folder.write("mine", to: Self.mapping)
    try project.folder.write("x", to: "Migrations/history.json/x")
    let refused = try project.migrate("init", NotesProject.bundle, "--force")
    #expect(refused.status == 64 && refused.errors.contains("RUN-002"), "\(refused.errors)")
    #expect(refused.errors.contains("nothing was written"))
    #expect(project.made == [Self.mapping, "Migrations/history.json/x"])
    #expect(project.folder.contents(Self.mapping) == Array("mine".utf8))
    #expect(project.folder.everything.count { $0.hasPrefix("Mappings") } == 2)
  }

  @Test func `a store is never replaced`() throws {
    let project = try NotesProject()
    try project.folder.write("", to: "Migrations/Readme")
    try project.makeStore("Migrations/history.json")
    let before = project.folder.contents("Migrations/history.json")
    let refused = try project.migrate(
      "init", NotesProject.bundle, "--store", "Migrations/history.json", "--force")
    #expect(refused.status == 64 && refused.errors.contains("CMD-030"), "\(refused.errors)")
    #expect(project.folder.contents("Migrations/history.json") == before)
  }

  // MARK: Wrong calls

  @Test(arguments: [
    (["--dependency", "."], "CMD-090"), (["--package"], "CMD-091"),
    (["--package", "--dependency", "nowhere"], "CMD-094"),
    (["--output", "Notes.xcdatamodeld/Notes 1.xcdatamodel/contents"], "CMD-003"),
    (["--store", "Notes.xcdatamodeld"], "CMD-095"),
  ])
  func `a wrong call is refused`(_ arguments: [String], _ code: String) throws {
    let project = try NotesProject()
    let refused = try project.migrate(["init", NotesProject.bundle] + arguments)
    #expect(refused.status == 64 && refused.errors.contains(code), "\(refused.errors)")
    #expect(project.made == [])
  }

  /// A variable of a script that is not set gives one.
  @Test(arguments: [
    ["init", "--output", ""], ["run", "--output", ""], ["plan", "--output", ""],
    ["create", "--output", ""],
    ["status", "--store", ""], ["rehearse", "--junit", ""], ["fleet", "run", "--output-dir", ""],
  ])
  func `an empty path is a wrong call`(arguments: [String]) throws {
    let project = try NotesProject()
    let before = project.folder.everything
    #expect(try project.migrate(arguments).status == 64)
    #expect(project.folder.everything == before)
  }

  @Test func `a package without a step is refused`() throws {
    let project = try NotesProject([NotesProject.old])
    let refused = try project.migrate(
      "init", NotesProject.bundle, "--package", "--dependency", Repository.root)
    #expect(refused.status == 64 && refused.errors.contains("CMD-092"), "\(refused.errors)")
    #expect(project.made == [])
  }

  @Test(arguments: [("missing.xcdatamodeld", Int32(64), "MOD-100"), ("a.json", 65, "MOD-001")])
  func `a model that cannot be read makes nothing`(
    path: String, status: Int32, code: String
  ) throws {
    let project = try NotesProject()
    try project.folder.write("{", to: "a.json")
    let refused = try project.migrate("init", NotesProject.bundle, path, "--output", "p")
    #expect(refused.status == status && refused.errors.contains(code), "\(refused.errors)")
    #expect(project.made == ["a.json"])
  }

  @Test func `two different models of one name are refused`() throws {
    let project = try NotesProject()
    try project.folder.write(
      #"{"name": "Notes 1", "entities": [{"name": "Other"}]}"#, to: "a.json")
    let refused = try project.migrate("init", NotesProject.bundle, "a.json")
    #expect(refused.status == 64 && refused.errors.contains("CMD-031"), "\(refused.errors)")
    #expect(project.made == ["a.json"])
  }

  /// The name gets into files of Swift, whose lines it could begin.
  @Test(arguments: [#"\n"#, #"\r"#, #"\u2028"#, #"\u0085"#, #"\u202e"#, #"\u001b"#])
  func `a name that begins lines of its own becomes no file`(character: String) throws {
    let project = try NotesProject([NotesProject.old])
    for (name, type) in [("A", "string"), ("B\(character)import Evil\(character)__", "integer16")] {
      try project.folder.write(
        """
        {"name": "\(name)", "entities": [{"name": "E", "attributes": [
          {"name": "a", "type": "\(type)"}]}]}
        """, to: "models/\(type).json")
    }
    let before = project.folder.everything
    for options in [["--package", "--dependency", Repository.root], ["--reference"], []] {
      let refused = try project.migrate(
        ["init", "models/string.json", "models/integer16.json", "--output", "p"] + options)
      #expect(refused.status == 64 && refused.errors.contains("CMD-032"), "\(refused.errors)")
      #expect(project.folder.everything == before)
    }
  }

  @Test func `a store that does not exist yet is named with a warning`() throws {
    let project = try NotesProject()
    let made = try project.migrate("init", NotesProject.bundle, "--store", "Later.sqlite")
    #expect(made.status == 0 && made.output.contains("CMD-093"))
    #expect(try next(made) == "migrate rehearse")
  }

  // MARK: A package

  @Test func `a package builds, its tests say what is left to decide, and then pass`() throws {
    let project = try NotesProject()
    try project.makeStore()
    let made = try project.migrate(
      "init", NotesProject.bundle, "--store", "Notes.sqlite", "--package", "--dependency",
      Repository.root)
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.contains("NotePolicy is called for “IEM_Transform_Note”"))
    #expect(try next(made) == "swift test")
    let package = try BuiltPackage()
    let left = try package.shell(next(made), in: project.folder.path)
    #expect(left.status != 0 && left.errors.contains("MAP-040"), "\(left.errors)")
    try project.acceptDraft(Self.mapping)
    // A number of stars that is no number becomes none.
    let text = String(decoding: project.folder.contents(Self.mapping) ?? [], as: UTF8.self)
    try project.folder.write(
      text.replacing("parseNumber(", with: "parseNumberOrNull("), to: Self.mapping)
    let tested = try package.shell(next(made), in: project.folder.path)
    #expect(tested.status == 0, "\(tested.output)\(tested.errors)")
    #expect(tested.errors.contains("each Note becomes a Note"), "\(tested.errors)")
    let run = try package.shell("swift run app-migrate", in: project.folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("Notes.migrated.sqlite"))
  }

  /// What Swift's package manager makes of the manifest.
  @Test(arguments: [
    ("https://example.org/tools/passage.git", "passage"),
    ("git@example.org:tools/passage.git", "passage"),
    (Repository.root, URL(filePath: Repository.root).lastPathComponent),
  ])
  func `the manifest is one of Swift's`(dependency: String, identity: String) throws {
    let project = try NotesProject()
    #expect(
      try project.migrate(
        "init", NotesProject.bundle, "--package", "--dependency", dependency
      ).status == 0)
    let outcome = try ChildProgram.run(
      "/usr/bin/env",
      ["swift", "package", "--package-path", project.folder.path, "dump-package"],
      in: project.folder.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let package = try outcome.json
    #expect(
      package["targets"]?.elements.map { $0["name"]?.text }
        == ["MigrationPolicies", "app-migrate", "MigrationPoliciesTests"])
    let products = try #require(package["targets"]?[1]?["dependencies"]).elements
      .compactMap { $0["product"]?.elements }
    #expect(products.map { $0.prefix(2).map(\.text) } == [["PassageCommands", identity]])
    // In the list of dependencies, identities have no capital letters.
    #expect(outcome.output.contains("\"identity\" : \"\(identity.lowercased())\""))
  }

  /// Swift's package manager refuses two targets of one name, also in different packages.
  @Test func `no target of a package has the name of one of Passage`() throws {
    let project = try NotesProject()
    try #require(
      try project.migrate(
        "init", NotesProject.bundle, "--package", "--dependency", Repository.root
      ).status == 0)
    let scratch = try TemporaryDirectory()
    let names = try [project.folder.path, Repository.root].map { package in
      let outcome = try ChildProgram.run(
        "/usr/bin/env",
        [
          "swift", "package", "--package-path", package, "--scratch-path", scratch.path,
          "dump-package",
        ])
      return Set(try #require(outcome.json["targets"]).elements.compactMap { $0["name"]?.text })
    }
    #expect(names[0].count == 3 && names[1].contains("migrate"))
    #expect(names[0].isDisjoint(with: names[1]))
  }

  /// A policy named like its protocol would be no policy.
  @Test func `an entity may be called as it likes`() throws {
    let project = try NotesProject([NotesProject.old])
    let words = ["Migration", "class", "_1"]
    for (version, type) in [("A", "string"), ("B", "integer16")] {
      for word in words {
        try project.folder.write(
          """
          {"name": "\(version)", "entities": [{"name": "\(word)", "attributes": [
            {"name": "a", "type": "\(type)"}]}]}
          """, to: "\(word)/\(version).json")
      }
    }
    for word in words {
      let made = try project.migrate(
        "init", "\(word)/A.json", "\(word)/B.json", "--output", "\(word)/p", "--package",
        "--dependency", Repository.root)
      #expect(made.status == 0, "\(made.errors)")
      let built = try BuiltPackage().shell("swift build", in: project.folder.path("\(word)/p"))
      #expect(built.status == 0, "\(word): \(built.errors)")
    }
  }
}
