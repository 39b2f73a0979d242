import PassageSQLite
import Testing

/// Conditions that AND and OR join.
@Suite struct JunctionTests {
  @Test(arguments: [1, 100, 101, 10_001])
  func `SQLite takes any number of conditions`(_ count: Int) throws {
    let connection = try Connection(path: "", mode: .create)
    let wrong = (0..<count).map { "7 = \($0 + 8)" }
    #expect(try connection.integer("SELECT \(Junction.or.joined(wrong))") == 0)
    #expect(try connection.integer("SELECT \(Junction.or.joined(wrong + ["7 = 7"]))") == 1)
    let right = (0..<count).map { "7 <> \($0 + 8)" }
    #expect(try connection.integer("SELECT \(Junction.and.joined(right))") == 1)
    #expect(try connection.integer("SELECT \(Junction.and.joined(right + ["7 <> 7"]))") == 0)
  }

  @Test func `few conditions are joined without parentheses`() {
    #expect(Junction.and.joined(["a"]) == "a")
    #expect(Junction.or.joined(["a", "b"]) == "a OR b")
  }
}
