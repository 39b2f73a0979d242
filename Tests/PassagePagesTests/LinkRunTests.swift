import PassageFiles
import PassagePages
import PassageTesting
import Synchronization
import TestSupport
import Testing

/// Links that are sorted and merged with what became of the related objects, against a dictionary.
@Suite struct LinkRunTests {
  static let seed = RandomSeed.told(for: "LinkRunTests")

  private let directory: TemporaryDirectory
  /// How many files were asked for.
  private let fileCount = Counter()

  final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
  }

  init() throws { directory = try TemporaryDirectory() }

  private func run(byteCount: Int) -> LinkRun {
    let path = directory.path("links-\(byteCount)")
    return LinkRun(byteCount: byteCount) { [fileCount] in
      fileCount.add()
      try FileSystem().makeFile(path)
      return try PositionalFile(path, mode: .updating)
    }
  }

  private static func next(_ fates: [LinkFate]) -> () throws -> LinkFate? {
    var rest = fates[...]
    return { rest.popFirst() }
  }

  @Test(arguments: 0..<40)
  func `a run leads where a dictionary leads, in memory and in a file`(round: Int) throws {
    var random = SeededRandom(seed: Self.seed &+ UInt64(round))
    let edges: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    func key(_ random: inout SeededRandom) -> Int64 {
      Int.random(in: 0..<20, using: &random) == 0
        ? edges.randomElement(using: &random) ?? 0 : Int64.random(in: -400...400, using: &random)
    }
    var links: [Int64: Int64] = [:]
    for _ in 0..<Int.random(in: 0...3_000, using: &random) {
      links[Int64.random(in: -5_000...5_000, using: &random)] = key(&random)
    }
    links[.min] = key(&random)
    links[.max] = key(&random)
    var existing: Set<Int64> = []
    var fates: [Int64: LinkFate] = [:]
    for _ in 0..<500 {
      let source = key(&random)
      existing.insert(source)
      guard Int.random(in: 0..<3, using: &random) > 0 else { continue }
      fates[source] = LinkFate(
        source: source, key: key(&random), entityNumber: Int64.random(in: 1...3, using: &random))
    }
    // By mapping.
    let lists = (0..<3).map { list in
      fates.values.filter { (($0.source % 3) + 3) % 3 == Int64(list) }
        .sorted { $0.source < $1.source }
    }
    let byteCount = round.isMultiple(of: 2) ? LinkRun.leastBytes : 1 << 20
    let run = run(byteCount: byteCount)
    for (row, key) in links.shuffled(using: &random) { try run.add(row: row, link: key) }
    var asked: [Int64] = []
    #expect(
      try run.resolve(lists.map(Self.next)) {
        asked.append($0)
        return existing.contains($0)
      })
    #expect(asked == Array(Set(links.values.filter { fates[$0] == nil })).sorted())
    var wrongRows: [Int64] = []
    for row in [.min] + Array(Int64(-5_000)...5_000) + [.max] {
      try run.advance(to: row)
      let expected: LinkRun.Found =
        switch links[row] {
        case nil: .nothing
        case let key?:
          fates[key].map { .object(key: $0.key, entityNumber: $0.entityNumber) }
            ?? (existing.contains(key) ? .nothing : .dangling)
        }
      if run.current != expected { wrongRows.append(row) }
    }
    #expect(wrongRows == [])
    if links.count > 1_000 { #expect((fileCount.value > 0) == round.isMultiple(of: 2)) }
  }

  private static let one = LinkFate(source: 1, key: 7, entityNumber: 1)
  private static let other = LinkFate(source: 1, key: 8, entityNumber: 1)
  private static let later = LinkFate(source: 2, key: 9, entityNumber: 1)

  @Test(arguments: [[[one, other, later]], [[one], [other, later]]])
  func `a link to an object that has become several is refused`(fates: [[LinkFate]]) throws {
    for (key, isRefused) in [(Int64(1), true), (2, false)] {
      let run = run(byteCount: LinkRun.leastBytes)
      try run.add(row: 5, link: key)
      #expect(try run.resolve(fates.map(Self.next)) { _ in true } == !isRefused)
    }
  }

  @Test func `results out of order are refused`() throws {
    let run = run(byteCount: LinkRun.leastBytes)
    for key in Int64(1)...3 { try run.add(row: key, link: key) }
    #expect(try !run.resolve([Self.next([Self.later, Self.one])]) { _ in true })
  }

  /// As if another program had cut the temporary file.
  @Test func `a file that was cut is told`() throws {
    let run = run(byteCount: LinkRun.leastBytes)
    for row in Int64(1)...20_000 { try run.add(row: row, link: 20_001 - row) }
    #expect(try run.resolve([]) { _ in false })
    let path = directory.path("links-\(LinkRun.leastBytes)")
    try PositionalFile(path, mode: .updating).truncate(to: 100)
    #expect(throws: SpillDamage.self) {
      for row in Int64(1)...20_000 { try run.advance(to: row) }
    }
  }

  @Test(arguments: [Int64.min, -100, 1, Int64.max - 299] as [Int64])
  func `a set gives its keys in order`(first: Int64) throws {
    let set = try #require(KeySet(first...first + 299, limit: 1_000))
    #expect(set.map { $0 }.isEmpty)
    let keys = stride(from: Int64(0), through: 299, by: 13).map { first + $0 }
    for key in keys.reversed() { set.insert(key) }
    #expect(set.map { $0 } == keys)
  }
}
