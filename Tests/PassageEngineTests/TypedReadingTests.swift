import Foundation
import Passage
import PassageEngine
import PassageValues
import Testing

/// What a policy reads of a source object by name and type.
@Suite struct TypedReadingTests {
  private static let moment = Date(timeIntervalSinceReferenceDate: 1.5)
  private static let identity = UUID()
  private static let object = SourceObject(
    shape: ObjectShape(
      entityName: "Book",
      names: ["title", "pages", "price", "isLent", "bought", "number", "cover", "shelf"]),
    key: 7,
    values: [
      .text("Emma"), .integer(300), .real(0.1), .integer(1), Value(moment), Value(identity),
      .blob([1, 2]), .null,
    ])

  @Test func `each type is read from the cell it is stored in`() throws {
    #expect(try Self.object.text("title") == "Emma")
    #expect(try Self.object.integer("pages") == 300)
    #expect(try Self.object.double("price") == 0.1)
    #expect(try Self.object.decimal("price")?.description == "0.1")
    #expect(try Self.object.decimal("pages") == 300)
    #expect(try Self.object.bool("isLent") == true)
    #expect(try Self.object.date("bought") == Self.moment)
    #expect(try Self.object.uuid("number") == Self.identity)
    #expect(try Self.object.bytes("cover") == [1, 2])
  }

  @Test(arguments: ["n", "fifteen letters", "a name of more than fifteen bytes", "na\u{EF}ve"])
  func `a name is found however its text was made`(name: String) {
    let shape = ObjectShape(entityName: "Book", names: ["other", name])
    var long = String(repeating: "-", count: 40) + name
    long.removeFirst(40)
    for made in [name, long, name.decomposedStringWithCanonicalMapping] {
      #expect(shape.position(of: made) == 1)
    }
    #expect(shape.position(of: name + "s") == nil)
    #expect(ObjectShape(entityName: "Book", names: [long, name]).position(of: name) == 0)
  }

  @Test func `no value is nil, whatever is asked for`() throws {
    #expect(try Self.object.text("shelf") == nil)
    #expect(try Self.object.date("shelf") == nil)
    #expect(try Self.object.decimal("shelf") == nil)
  }

  @Test func `a value of another kind and an unknown name are mistakes`() throws {
    let kind = try #require(throws: PolicyMistake.self) { _ = try Self.object.uuid("title") }
    #expect(kind.description.contains("“Book.title”"))
    let name = try #require(throws: PolicyMistake.self) { _ = try Self.object.text("titel") }
    #expect(name.description.contains("title, pages"))
    #expect(name.localizedDescription == name.description)
  }

  @Test(arguments: [3, 40]) func `a name is found however it is composed`(count: Int) {
    let names = ["e\u{301}t\u{e9}", "title", "title"] + (3..<count).map { "name \($0)" }
    let shape = ObjectShape(entityName: "Car", names: names)
    #expect(shape.position(of: "\u{e9}te\u{301}") == 0)
    #expect(shape.position(of: "\u{e9}t\u{e9}") == 0)
    #expect(shape.position(of: "title") == 1)
    #expect(shape.position(of: "titel") == nil)
    #expect(shape.position(of: "") == nil)
  }
}
