import PassagePages
import Testing

@testable import PassageEngine

/// Associations are kept in memory only as long as they are simple.
@Suite struct RecordedAssociationsTests {
  private func recorded(_ rows: [(source: Int64, destination: Int64, entity: Int64)])
    -> RecordedAssociations
  {
    let recorded = RecordedAssociations()
    recorded.note(rows.flatMap { [$0.source, $0.destination, $0.entity] })
    return recorded
  }

  @Test func `rows in the order of their source keys are kept`() throws {
    let found = recorded([(-5, 100, 1), (3, 90, 1), (4, 100, 1), (1 << 31, 101, 1)])
    #expect(found.count == 4)
    #expect(found.hasPairs)
    #expect(found.entity == 1)
    #expect(found.destinations == 90...101)
    let map = try #require(KeyMap(-5...(1 << 31), to: found.destinations, limit: 1 << 32))
    #expect(found.insert(into: map, except: nil))
  }

  @Test func `none are none`() {
    let found = RecordedAssociations()
    #expect(found.count == 0)
    #expect(found.hasPairs)
  }

  @Test(arguments: [Int64(3), 2])
  func `nothing is known after a source key that is not larger`(source: Int64) {
    let found = recorded([(3, 10, 1), (source, 11, 1), (8, 12, 1)])
    #expect(found.count == nil)
    #expect(!found.hasPairs)
  }

  @Test(arguments: [(Int64(4), Int64(11), Int64(2)), (4, 1 << 40, 1), (1 << 40, 11, 1)])
  func `of other rows only the number is known`(row: (Int64, Int64, Int64)) {
    let found = recorded([(3, 10, 1), row])
    #expect(found.count == 2)
    #expect(!found.hasPairs)
  }

  @Test func `keys at the ends of their range are no trap`() {
    let found = recorded([(.min, .max, 1), (.max, .min, 1)])
    #expect(found.count == 2)
    #expect(!found.hasPairs)
  }

  @Test func `a map for other keys is not filled`() throws {
    let found = recorded([(3, 10, 1), (9, 11, 1)])
    let map = try #require(KeyMap(3...8, to: 10...11, limit: 1 << 20))
    #expect(!found.insert(into: map, except: nil))
  }

  @Test func `the number stays when the rows are released`() {
    let found = recorded([(3, 10, 1), (9, 11, 1)])
    found.release()
    found.note([10, 12, 1])
    #expect(found.count == 3)
    #expect(!found.hasPairs)
  }
}
