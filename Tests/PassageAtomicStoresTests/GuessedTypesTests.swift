import Foundation
import Passage
import PassageAtomicStores
import PassageTesting
import TestSupport
import Testing

/// Which type fits the values of a column.
struct GuessedTypesTests {
  /// The guess for a column with these values, as `type nils`.
  private func guess(_ values: [String], _ kind: TextStoreSettings.Kind) throws -> String {
    let folder = try TemporaryDirectory()
    let lines =
      kind == .delimited
      ? ["id,v"] + values.enumerated().map { "\($0.offset),\($0.element)" }
      : values.map { #"{"v":\#($0)}"# }
    let path = try folder.write(
      lines.map { $0 + "\n" }.joined(), to: kind == .delimited ? "a.csv" : "a.jsonl")
    let guessed = try GuessedTypes(path: path, kind: kind, memoryBytes: 512 << 20)
    let column = try #require(guessed.columns.first)
    return "\(guessed.type(of: column).name) \(column.nils)"
  }

  @Test(arguments: [
    (["1", "-2", "9223372036854775807"], "integer64 0"), (["9223372036854775808"], "string 0"),
    (["1", "", "3"], "integer64 1"), (["", ""], "string 2"), (["\"\"", "1"], "string 0"),
    (["01"], "string 0"), (["+1"], "string 0"), (["-0"], "double 0"), ([" 1"], "string 0"),
    (["1", "1.5", "-2e3", "1E-5"], "double 0"), (["1."], "string 0"), ([".5"], "string 0"),
    (["123456789012345.6"], "string 0"), (["1e999"], "string 0"), (["1e-400"], "string 0"),
    (["0e-400"], "double 0"), (["0x10"], "string 0"),
    (["true", "FALSE"], "boolean 0"), (["true", "1"], "string 0"), (["yes"], "string 0"),
    (["2020-01-01", "2020-01-01T10:00:00.5Z"], "date 0"), (["2020-13-01"], "string 0"),
    (["123E4567-E89B-12D3-A456-426614174000"], "uuid 0"), (["NaN", "1"], "string 0"),
  ])
  func `delimited text has the first type that loses nothing`(values: [String], type: String) throws
  {
    #expect(try guess(values, .delimited) == type)
  }

  @Test(arguments: [
    (["1", "-2", "9223372036854775807"], "integer64 0"), (["9223372036854775808"], "decimal 0"),
    (["1", "null", "3"], "integer64 1"), (["null", "null"], "string 2"), (["-0"], "double 0"),
    (["1", "1.5", "-2e3"], "double 0"), (["1234567890123456", "0.5"], "decimal 0"),
    (["true", "false", "null"], "boolean 1"), (["true", "1"], "string 0"),
    ([#""1""#], "string 0"), ([#""true""#], "string 0"), ([#""""#], "string 0"),
    ([#""2020-01-01""#, "null"], "date 1"), ([#""2020-01-01""#, #""x""#], "string 0"),
    ([#""123e4567-e89b-12d3-a456-426614174000""#], "uuid 0"), (["[1]"], "string 0"),
  ])
  func `JSON lines have the kind that JSON says`(values: [String], type: String) throws {
    #expect(try guess(values, .jsonLines) == type)
  }

  @Test func `each entity has its own columns, and the settings leave some out`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(
      """
      {"kind":"A","id":1,"v":1,"w":"x","skipped":{}}
      {"kind":"B","id":2,"v":"x"}
      """, to: "a.jsonl")
    try folder.write(
      #"{"type":"json-lines","entityColumn":"kind","ignored":["skipped"]}"#,
      to: "a.jsonl.store.json")
    let guessed = try GuessedTypes(path: path, kind: .jsonLines, memoryBytes: 512 << 20)
    #expect(
      guessed.columns.map { "\($0.entity).\($0.name) \(guessed.type(of: $0).name) \($0.rows)" } == [
        "A.v integer64 1", "A.w string 1", "B.v string 1",
      ])
  }

  @Test func `a record longer than memory allows is refused`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(
      #"{"v":""# + String(repeating: "x", count: 1 << 20) + #""}"#, to: "a.jsonl")
    #expect(throws: (any Error).self) {
      try GuessedTypes(path: path, kind: .jsonLines, memoryBytes: 1 << 20)
    }
  }
}
