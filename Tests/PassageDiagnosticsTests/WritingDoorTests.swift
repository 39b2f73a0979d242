import Foundation
import TestSupport
import Testing

/// The danger that rows enter a destination table, or are changed there, past the one door for it: then
/// another way of writing tables has to be built into every such place.
struct WritingDoorTests {
  /// The rooms of the engine that may write: destination tables, and the journal's own.
  private static let doors = ["Sink", "Journal"]

  /// Statements that change a table which is not a temporary one of the connection.
  private static func writes(in text: String) -> [String] {
    let statement =
      /\b(?:INSERT(?: OR \w+)? INTO|REPLACE INTO|UPDATE|DELETE FROM|ALTER TABLE|CREATE TABLE(?: IF NOT EXISTS)?) +([^\s"]+)/
    return text.split(separator: "\n").filter { line in
      guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { return false }
      return line.matches(of: statement).contains { match in
        let table = match.output.1
        // `ON CONFLICT … DO UPDATE SET` belongs to the statement it ends.
        return table != "SET" && !table.hasPrefix("temp.")
          && table != "\\(Self.freshTable)"
      }
    }.map(String.init)
  }

  @Test func `only the sinks and the journal hold SQL that writes`() throws {
    let engine = Repository.url("Sources/PassageEngine")
    let files = FileManager.default.enumerator(at: engine, includingPropertiesForKeys: nil)
    var found: [String] = []
    var doorsSeen = 0
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let writes = Self.writes(in: try String(contentsOf: file, encoding: .utf8))
      if Self.doors.contains(file.deletingLastPathComponent().lastPathComponent) {
        doorsSeen += writes.isEmpty ? 0 : 1
      } else {
        found += writes.map { "\(file.lastPathComponent): \($0)" }
      }
    }
    #expect(found == [])
    #expect(doorsSeen >= 4)
  }

  @Test(arguments: [
    ("try connection.execute(\"INSERT INTO main.ZCAR VALUES (1)\")", true),
    ("\"INSERT OR IGNORE INTO ZCAR SELECT 1\"", true),
    ("    UPDATE \\(name) SET a = 1", true),
    ("\"DELETE FROM main.\\(table.quotedIdentifier)\"", true),
    ("\"INSERT INTO temp.passage_links (holder) \"", false),
    ("+ \"ON CONFLICT (holder) DO UPDATE SET others = others + 1\"", false),
    ("/// INSERT INTO is what a sink does", false),
  ])
  func `a statement that writes is told from one that does not`(line: String, writes: Bool) {
    #expect(Self.writes(in: line).isEmpty == !writes)
  }
}
