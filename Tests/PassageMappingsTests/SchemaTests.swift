import Foundation
import PassageAtomicStores
import PassageDiagnostics
import PassageMappings
import PassageProjects
import TestSupport
import Testing

/// The schemas that editors complete from and the decoders that read must say the same.
struct SchemaTests {
  private static let root = URL(filePath: Repository.root)

  private static let mappingSchema = "Mappings/Schemas/mapping.schema.json"
  private static let historySchema = "Migrations/Schemas/history.schema.json"
  private static let storeSchema = "Migrations/Schemas/store.schema.json"
  private static let modelSchema = "Migrations/Schemas/model.schema.json"

  private static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: root.appending(path: path)))
  }

  private static func schema(_ path: String) throws -> SchemaCheck {
    SchemaCheck(root: try JSONParser.parse(bytes(path), file: path))
  }

  // MARK: Words

  @Test(arguments: [
    (mappingSchema, "model", MappingDocument.modelMembers),
    (mappingSchema, "entityMapping", MappingDocument.entityMembers),
    (mappingSchema, "policy", MappingDocument.policyMembers),
    (mappingSchema, "propertyMapping", MappingDocument.propertyMembers),
    (mappingSchema, "typedVariable", MappingDocument.variableMembers),
    (historySchema, "history", HistoryDocument.historyMembers),
    (historySchema, "version", HistoryDocument.versionMembers),
    (historySchema, "step", HistoryDocument.stepMembers),
    (historySchema, "check", HistoryDocument.checkMembers),
    (historySchema, "level", HistoryDocument.levelMembers),
    (historySchema, "exception", HistoryDocument.exceptionMembers),
    (storeSchema, "store", TextStoreSettings.members),
    (storeSchema, "entity", TextStoreSettings.entityMembers),
  ])
  func `schema and decoder know the same members`(
    _ path: String, _ definition: String, _ known: [String]
  ) throws {
    let schema = try #require(Self.schema(path).definition(definition))
    let members = try #require(schema["properties"]).members.map(\.name)
    #expect(Set(members).subtracting(["$schema"]) == Set(known))
    #expect(schema["additionalProperties"]?.kind == .bool(false))
  }

  @Test(arguments: [
    (mappingSchema, "model"), (mappingSchema, "entityMapping"), (mappingSchema, "policy"),
    (mappingSchema, "propertyMapping"), (historySchema, "history"), (historySchema, "version"),
    (historySchema, "step"), (historySchema, "check"), (historySchema, "level"),
    (historySchema, "exception"), (storeSchema, "store"), (storeSchema, "entity"),
  ])
  func `every member has a description`(_ path: String, _ definition: String) throws {
    let schema = try #require(Self.schema(path).definition(definition))
    let members = try #require(schema["properties"]).members
    #expect(members.allSatisfy { $0.value["description"] != nil })
    #expect(!members.isEmpty)
  }

  @Test func `schema and decoder know the same mapping types`() throws {
    let type = try #require(
      Self.schema(Self.mappingSchema).definition("entityMapping")?["properties"]?["type"])
    #expect(
      type["enum"]?.elements.compactMap(\.text) == EntityMapping.Kind.allCases.map(\.rawValue))
  }

  // MARK: Files

  /// The JSON files of a folder, but for its schemas.
  private static func files(in folder: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: folder).path)
    return (names ?? []).filter { $0.hasSuffix(".json") }.sorted().map { "\(folder)/\($0)" }
  }

  /// The top of the repository, and each further example.
  private static let projects: [String] = {
    let examples = try? FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: "Tests/Examples").path)
    return [""]
      + (examples ?? []).filter { !$0.hasPrefix(".") }.sorted().map { "Tests/Examples/\($0)/" }
  }()

  private static let shipped: [(file: String, schema: String)] = projects.flatMap { project in
    files(in: "\(project)Mappings").map { ($0, mappingSchema) }
      + files(in: "\(project)Migrations").map {
        ($0, $0.hasSuffix("/history.json") ? historySchema : modelSchema)
      }
  }

  @Test func `the example is among the shipped files`() {
    let files = Self.shipped.map(\.file)
    #expect(files.contains("Mappings/StepOne.json") && files.contains("Mappings/StepTwo.json"))
    #expect(files.contains("Migrations/history.json") && files.count >= 5)
  }

  @Test(arguments: shipped)
  func `every shipped file is valid in its schema`(_ file: String, _ schema: String) throws {
    let document = try JSONParser.parse(Self.bytes(file), file: file)
    #expect(try Self.schema(schema).mistakes(in: document) == [])
    // Editors find the schema by this member; a further example may do without.
    let named = document["$schema"]?.text
    guard named != nil || !file.hasPrefix("Tests/Examples/") else { return }
    let folder = Self.root.appending(path: file).deletingLastPathComponent()
    #expect(
      folder.appending(path: named ?? "").standardized.path
        == Self.root.appending(path: schema).standardized.path)
  }

  // MARK: Texts

  /// Texts of which decoder and schema must think the same: whether they are a mapping model.
  @Test(arguments: [
    (#"{"source":"1","destination":"2","entityMappings":[]}"#, true),
    (#"{"destination":"2","entityMappings":[]}"#, false),
    (#"{"source":"1","destination":"2","entityMappings":{}}"#, false),
    (#"{"source":"1","destination":"2","entityMappings":[],"filter":"x"}"#, false),
    (entity(#""type":"add","destination":"A""#), true),
    (entity(#""type":"add","source":"A","destination":"A""#), false),
    (entity(#""type":"add""#), false),
    (entity(#""type":"remove","source":"A""#), true),
    (entity(#""type":"remove","source":"A","destination":"A""#), false),
    (entity(#""type":"remove","source":"A","attributes":{"a":{}}"#), false),
    (entity(#""type":"remove","source":"A","attributes":{}"#), true),
    (entity(#""type":"copy","source":"A","destination":"A""#), true),
    (entity(#""type":"copy","source":"A""#), false),
    (entity(#""type":"transform","destination":"A""#), false),
    (entity(#""type":"transfrom","source":"A","destination":"A""#), false),
    (entity(#""type":"custom","source":"A","destination":"A""#), false),
    (entity(#""type":"custom","source":"A","destination":"A","policy":"P""#), true),
    (entity(#""type":"copy","source":"A","destination":"A","policy":{"name":"P"}"#), true),
    (entity(#""type":"copy","source":"A","destination":"A","policy":{"userInfo":{}}"#), false),
    (
      entity(
        #""type":"custom","source":"A","destination":"A","policy":{"name":"P","userInfo":{"a":"b"}}"#
      ), true
    ),
    (
      entity(
        #""type":"custom","source":"A","destination":"A","policy":{"name":"P","userInfo":{"a":1}}"#),
      false
    ),
    (entity(#""type":"copy","source":"A","destination":"A","filter":1"#), false),
    (property("{}"), true), (property("null"), true), (property(#""$source.a""#), true),
    (property("1"), false), (property("[]"), false), (property(#"{"value":null}"#), true),
    (property(#"{"value":"$source.a","default":"0","userInfo":{"k":"v"}}"#), true),
    (property(#"{"value":1}"#), false), (property(#"{"default":null}"#), false),
    (property(#"{"values":"x"}"#), false),
    (property(#"{"value":"$source.a","draft":"why"}"#), true),
    (property(#"{"draft":true}"#), false),
    (entity(#""type":"remove","source":"A","draft":"why""#), true),
    (entity(#""type":"remove","source":"A","draft":null"#), false),
  ])
  func `schema and decoder take the same mapping models`(_ text: String, _ isValid: Bool) throws {
    let document = try JSONParser.parse(Array(text.utf8), file: "m.json")
    #expect(try Self.schema(Self.mappingSchema).mistakes(in: document).isEmpty == isValid)
    #expect(((try? MappingDocument.decode(Array(text.utf8), file: "m.json")) != nil) == isValid)
  }

  private static func entity(_ members: String) -> String {
    #"{"source":"1","destination":"2","entityMappings":[{\#(members)}]}"#
  }

  private static func property(_ value: String) -> String {
    entity(#""type":"transform","source":"A","destination":"B","attributes":{"a":\#(value)}"#)
  }

  @Test(arguments: [
    (#"{"type":"delimited"}"#, true), (#"{}"#, false), (#"{"type":"xml"}"#, false),
    (#"{"type":"keyed","separator":"::"}"#, false), (#"{"type":"keyed","separator":"|"}"#, true),
    (#"{"type":"delimited","header":"no"}"#, false),
    (#"{"type":"delimited","haeder":true}"#, false),
    (#"{"type":"delimited","dates":"unix","binary":"hex","quoting":"all"}"#, true),
    (#"{"type":"delimited","header":false,"columns":["id"],"entity":"A"}"#, true),
    (#"{"type":"delimited","columns":[1]}"#, false),
    (#"{"type":"keyed","entities":{"A":{}}}"#, false),
    (#"{"type":"json-lines","dates":"unix","ignored":["x"],"lineEnding":"crlf"}"#, true),
    (#"{"type":"json-lines","separator":";"}"#, false),
    (#"{"type":"json-lines","listSeparator":" "}"#, false),
  ])
  func `schema and decoder take the same settings`(_ text: String, _ isValid: Bool) throws {
    let document = try JSONParser.parse(Array(text.utf8), file: "s.json")
    #expect(try Self.schema(Self.storeSchema).mistakes(in: document).isEmpty == isValid)
    #expect(((try? TextStoreSettings.decode(Array(text.utf8), file: "s.json")) != nil) == isValid)
  }

  @Test(arguments: [
    (#"{"versions":[]}"#, true), (#"{}"#, false), (#"{"versions":[{"name":"1"}]}"#, false),
    (#"{"store":"a.sqlite","versions":[{"name":"1","model":"1.json"}],"steps":[]}"#, true),
    (#"{"versions":[],"steps":[{"from":"1","to":"2"}]}"#, false),
    (#"{"versions":[],"store":1}"#, false), (#"{"versions":[],"stores":"a"}"#, false),
    (#"{"versions":[],"check":{"levels":{"CHK-001":"note"}}}"#, true),
    (#"{"versions":[],"check":{"levels":{"CHK-001":{"level":"note","reason":"r"}}}}"#, true),
    (#"{"versions":[],"check":{"levels":{"CHK-001":{"level":"note"}}}}"#, false),
    (#"{"versions":[],"check":{"levels":{"CHK-001":"off"}}}"#, false),
    (#"{"versions":[],"check":{"exceptions":[{"code":"CHK-001","reason":"r"}]}}"#, true),
    (#"{"versions":[],"check":{"exceptions":[{"code":"CHK-001"}]}}"#, false),
    (#"{"versions":[],"check":{"exceptions":[{"code":"CHK-001","reason":""}]}}"#, false),
    (#"{"versions":[{"name":"1","model":"a","versionHashes":{"A":"x"}}]}"#, false),
    (
      #"{"versions":[{"name":"1","model":"a"},{"name":"2","model":"b"}],"steps":[{"from":"1","to":"2","mappings":["M"]}]}"#,
      true
    ),
    (
      #"{"versions":[{"name":"1","model":"a"},{"name":"2","model":"b"}],"steps":[{"from":"1","to":"2","mappings":[1]}]}"#,
      false
    ),
  ])
  func `schema and decoder take the same histories`(_ text: String, _ isValid: Bool) throws {
    let document = try JSONParser.parse(Array(text.utf8), file: "h.json")
    #expect(try Self.schema(Self.historySchema).mistakes(in: document).isEmpty == isValid)
    #expect(((try? HistoryDocument.decode(Array(text.utf8), file: "h.json")) != nil) == isValid)
  }
}
