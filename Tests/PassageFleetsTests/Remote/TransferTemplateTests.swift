import PassageDiagnostics
import PassageEngine
import PassageFleets
import Testing

@Suite struct TransferTemplateTests {
  private static func words(_ text: String) throws -> [String] {
    try TransferTemplate(text, option: "--fetch", allowed: [.name, .path, .mark], needed: [])
      .arguments([.name: "NAME X", .path: "P", .mark: "\"m'"])
  }

  @Test(
    arguments: [
      ("get {name} {path}", ["get", "NAME X", "P"]),
      ("  get\t{name}\n", ["get", "NAME X"]),
      ("get s3://b/{name}.gz", ["get", "s3://b/NAME X.gz"]),
      ("get '{name} and' \"{path}\"", ["get", "NAME X and", "P"]),
      ("get --if={mark}", ["get", "--if=\"m'"]),
      (#"get a\ b '' "" "a\"b\\c\d""#, ["get", "a b", "", "", #"a"b\c\d"#]),
      ("get '|$`;' {{name}} a'b'\"c\"", ["get", "|$`;", "{name}", "abc"]),
      ("'/a folder/get' x", ["/a folder/get", "x"]),
      ("get é 한국 \u{1F4DA}", ["get", "é", "한국", "\u{1F4DA}"]),
    ] as [(String, [String])])
  func `a command is split into words without a shell`(text: String, words: [String]) throws {
    #expect(try Self.words(text) == words)
  }

  @Test(
    arguments: [
      ("", "it names no program (character 1)"),
      ("   ", "it names no program (character 1)"),
      ("'' a", "it names no program (character 1)"),
      ("{name} a", "its program is not fixed: it has {name} (character 1)"),
      ("get {nam}", "there is no placeholder {nam} (character 5)"),
      ("get {version}", "{version} is not known yet when this command is run (character 5)"),
      ("get {name", "a single brace must be written twice: {{ (character 5)"),
      ("get }", "a single brace must be written twice: }} (character 5)"),
      ("get 'a", "the quotation mark is not closed (character 5)"),
      ("get \"a", "the quotation mark is not closed (character 5)"),
      ("get a\\", "a backslash ends it (character 6)"),
      ("get a | b", "“|” would need a shell, and none runs it (character 7)"),
      ("get $HOME", "“$” would need a shell, and none runs it (character 5)"),
      ("get \"$HOME\"", "“$” would need a shell, and none runs it (character 6)"),
      ("get a > b", "“>” would need a shell, and none runs it (character 7)"),
    ])
  func `a command that would mean something else is refused with its place`(
    text: String, reason: String
  ) throws {
    let error = try #require(throws: MigrationError.self) { try Self.words(text) }
    #expect(error.kind == .wrongCall)
    #expect(error.diagnostics.all.map(\.code) == ["FLT-070"])
    #expect(error.diagnostics.all.first?.reason == reason)
    #expect(error.diagnostics.all.first?.remedy != nil)
  }

  @Test(
    arguments: [
      ("get {path}", "get {name} {path}", "put {name} {path} {mark}", "--fetch", "{name}"),
      ("get {name}", "get {name} {path}", "put {name} {path} {mark}", "--fetch", "{path}"),
      ("get {name} {path}", "look", "put {name} {path} {mark}", "--exists", "{name}"),
      ("get {name} {path}", "look {name}", "put {name} {path}", "--publish", "{mark}"),
    ])
  func `a command without what it needs is refused`(
    fetch: String, exists: String, publish: String, option: String, missing: String
  ) throws {
    let exists = exists.replacing("get {name} {path}", with: "look {name}")
    let error = try #require(throws: MigrationError.self) {
      try TransferCommands(exists: exists, fetch: fetch, publish: publish, environment: [])
    }
    #expect(error.diagnostics.all.first?.message == "\(option) is not a command that can be run")
    #expect(error.diagnostics.all.first?.reason == "it does not have \(missing) (character 1)")
  }
}
