import PassageFiles
import PassagePages
import PassagePlatform
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// Whatever is wrong in a file, reading it ends with an error or with rows, and never with a trap.
@Suite struct ReadingDamageTests {
  static let seed = RandomSeed.told(for: "ReadingDamageTests")
  /// `PASSAGE_FLIPS` asks for more.
  static let volume =
    ProcessInfo.processInfo.environment["PASSAGE_FLIPS"].flatMap { Int($0) } ?? 1_000

  /// What a reader says of a file.
  enum Outcome {
    case rows([SweptTable.Row])
    case refused(any Error)
  }

  static func outcome(_ body: () throws -> [SweptTable.Row]) -> Outcome {
    do { return .rows(try body()) } catch { return .refused(error) }
  }

  @Test(arguments: ReadingTests.Layout.all)
  func `bytes changed at random`(layout: ReadingTests.Layout) throws {
    var random = layout.random(Self.seed)
    let folder = try TemporaryDirectory()
    let share = max(1, Self.volume / ReadingTests.Layout.all.count)
    let path = folder.path("damaged.db")
    var bytes: [UInt8] = []
    var root: UInt32 = 0
    for turn in 0..<share {
      if turn % 25 == 0 {
        let made = folder.path("made\(turn).db")
        repeat {
          try? FileManager.default.removeItem(atPath: made)
          root = try layout.makeTable(at: made, random: &random, bySQLite: random.chance(50))
          bytes = try #require(folder.contents("made\(turn).db"))
        } while bytes.count > max(200_000, 8 * layout.pageBytes)
      }
      var edited = DamagedFile(bytes: bytes, pageBytes: layout.pageBytes)
      for _ in 0..<Int.random(in: 1...2, using: &random) { edited.damage(&random) }
      try folder.write(edited.bytes, to: "damaged.db")
      try Self.check(path, root: root, random: &random)
    }
  }

  /// Compares what both readers say of a damaged file.
  static func check(_ path: String, root: UInt32, random: inout SeededRandom) throws {
    let table = SweptTable.random(at: path, root: root)
    let ours = outcome { try table.rows() }
    let theirs = outcome { try Connection(path: path, mode: .immutable).sortedRows() }
    switch (ours, theirs) {
    case (.rows(let ours), .rows(let theirs)):
      // With another declaration, SQLite takes the same bytes for other values.
      let sql = try Connection(path: path, mode: .immutable)
        .rows("SELECT sql FROM sqlite_master WHERE name = 't'")
      guard sql == [[.text(TableTreeWriterTests.declaration)]] else { break }
      #expect(ours.count == theirs.count)
      for (one, other) in zip(ours, theirs) where one != other { #expect(one == other) }
    case (.refused(let error), _):
      #expect(error is PageDamage || error is Unsoundness, "\(error)")
      if let damage = error as? PageDamage, !damage.problem.contains("record") {
        // What SQLite finds nothing wrong with is not refused. It does not look into records.
        let check = try? Connection(path: path, mode: .immutable).rows("PRAGMA integrity_check")
        #expect(check != [["ok"]], "\(error)")
      }
    case (.rows, .refused): break
    }
    // The other ways into the tree.
    do {
      let sweep = try table.sweep()
      _ = try? sweep.rowCount()
      for _ in 0..<3 {
        try sweep.seek(after: random.pick([.min, 0, 50, 0x8000_0000, .max]))
        var rows = 0
        while try sweep.next(), rows < 20 { rows += 1 }
      }
    } catch {
      #expect(error is PageDamage || error is Unsoundness, "\(error)")
    }
  }
}

/// The bytes of a database, to be damaged.
struct DamagedFile {
  var bytes: [UInt8]
  let pageBytes: Int

  var pageCount: Int { bytes.count / pageBytes }

  subscript(page: Int, offset: Int) -> UInt8 {
    get { bytes[(page - 1) * pageBytes + offset] }
    set { bytes[(page - 1) * pageBytes + offset] = newValue }
  }

  /// A number of so many bytes on a page.
  func number(_ page: Int, _ offset: Int, bytes count: Int) -> Int {
    (0..<count).reduce(0) { $0 << 8 | Int(self[page, offset + $1]) }
  }

  mutating func set(_ page: Int, _ offset: Int, bytes count: Int, _ value: Int) {
    for index in 0..<count {
      self[page, offset + index] = UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - index)))
    }
  }

  /// Where the cells of a page begin.
  func cells(_ page: Int) -> [Int] {
    let start = self[page, 0] == 5 ? 12 : 8
    let count = min(number(page, 3, bytes: 2), (pageBytes - start) / 2)
    return (0..<count).map { number(page, start + 2 * $0, bytes: 2) }
  }

  /// One fault of any kind.
  mutating func damage(_ random: inout SeededRandom) {
    let page = Int.random(in: 1...pageCount, using: &random)
    let start = page == 1 ? 100 : 0
    func byte(_ random: inout SeededRandom) -> UInt8 {
      random.pick([0, 1, 0x7F, 0x80, 0x81, 0xFF, UInt8.random(in: 0...255, using: &random)])
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: self[1, Int.random(in: 0..<100, using: &random)] = byte(&random)
    case 1: self[page, start + Int.random(in: 0..<12, using: &random)] = byte(&random)
    case 2:
      let cells = Int.random(in: 0...min(40, (pageBytes - 120) / 2), using: &random)
      self[page, start + 8 + 2 * cells + Int.random(in: 0...1, using: &random)] = byte(&random)
    case 3:
      // The beginning of a cell: sizes, keys, the record's header, or the number of a child.
      let cell = cells(page).filter { $0 < pageBytes - 16 }.randomElement(using: &random)
      self[page, (cell ?? 0) + Int.random(in: 0..<16, using: &random)] = byte(&random)
    case 4:
      // The number of a page: in the chain, of the last child, or somewhere.
      let offset = random.pick([0, 8, 4 * Int.random(in: 0..<pageBytes / 4, using: &random)])
      set(page, offset, bytes: 4, Int.random(in: 0...pageCount + 1, using: &random))
    case 5:
      let other = Int.random(in: 1...pageCount, using: &random)
      let copied = bytes[(other - 1) * pageBytes..<other * pageBytes]
      bytes.replaceSubrange((page - 1) * pageBytes..<page * pageBytes, with: copied)
    case 6:
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
        1 << UInt8.random(in: 0..<8, using: &random)
    default:
      if random.chance(20) {
        bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
        bytes += [UInt8](repeating: 0, count: max(0, pageBytes - bytes.count))
      } else {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = byte(&random)
      }
    }
  }
}
