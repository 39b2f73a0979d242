import PassageExpressions
import PassageValues
import Testing

/// Trying filters on made-up objects takes a bounded number of steps.
struct FilterSpaceTests {
  private static func space(_ filters: [String]) throws -> FilterSpace {
    try #require(
      FilterSpace(
        filters.map { try Binder.predicate(FormatParser.predicate($0), in: Library.filter) }))
  }

  private static func filter(terms: Int) -> String {
    (0..<terms).map { "pages == \($0 * 5)" }.joined(separator: " OR ")
  }

  @Test func `an object costs as many steps as the filters have conditions and values`() throws {
    let few = try Self.space([Self.filter(terms: 10)]).stepsOfSample
    let many = try Self.space([Self.filter(terms: 100)]).stepsOfSample
    #expect((300...1_000).contains(many))
    #expect(many > 9 * few && many < 11 * few)
    let list = (0..<100).map { "\($0 * 5)" }.joined(separator: ", ")
    // A constant of a list is found without a look at most others.
    #expect(try Self.space(["pages IN {\(list)}"]).stepsOfSample < 20)
    let long = String(repeating: "a", count: 1_600)
    #expect(try Self.space(["title BEGINSWITH '\(long)'"]).stepsOfSample > 100)
  }

  @Test func `no more objects are tried than the steps allow`() throws {
    let space = try Self.space([Self.filter(terms: 100)])
    var tried = 0
    var steps = 10 * space.stepsOfSample
    let found = space.first(steps: &steps) { _, _ in
      tried += 1
      return false
    }
    #expect(found == nil && tried == 10 && steps < 0)
    steps = .max
    #expect(space.first(steps: &steps) { _, _ in false } == nil)
    #expect(steps >= 0)
  }

  @Test func `filters over many attributes are not tried`() throws {
    let names = [
      "title", "subtitle", "pages", "shelf", "price", "weight", "isLent", "printed", "#size",
    ]
    let filter = names.map { "\($0) == nil" }.joined(separator: " AND ")
    let bound = try Binder.predicate(FormatParser.predicate(filter), in: Library.filter)
    #expect(FilterSpace([bound]) == nil)
  }
}
