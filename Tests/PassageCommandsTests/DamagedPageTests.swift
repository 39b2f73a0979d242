import Foundation
import Passage
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// A source one of whose pages lies: whatever reads it, the call ends with 40, the table and the page,
/// and nothing is written.
struct DamagedPageTests {
  /// What is read, and by what.
  enum Way: String, CaseIterable {
    /// Pages, in memory, without SQLite's locks.
    case memory
    /// Pages, with the work in the folder.
    case folder
    /// Pages, of a store that is counted by them too, with several threads.
    case large
    /// SQLite.
    case set, row

    var arguments: [String] {
      switch self {
      case .memory: []
      case .folder: ["--work-memory", "0"]
      case .large: ["--work-memory", "0", "--jobs", "3"]
      case .set, .row: ["--lane", rawValue]
      }
    }
  }

  enum Lie: String, CaseIterable {
    case circle, outOfTheFile, pageOfAnotherTable, cellOutOfThePage, largerRow, smallerRow,
      longerValue, unknownType, chainOutOfTheFile, chainInACircle
  }

  /// The calls that meet each lie: one that reads pages and one that asks SQLite, drawn with a seed
  /// that is printed, or all of them where the variable `PASSAGE_EVERY_WAY` is set. SQLite takes a value
  /// of an unknown type for nothing, and reads a page of a chain as often as the chain leads to it.
  static let calls: [(Lie, Way)] = {
    let takesAll = ProcessInfo.processInfo.environment["PASSAGE_EVERY_WAY"] != nil
    var random = SeededRandom(seed: RandomSeed.told(for: "DamagedPageTests"))
    return Lie.allCases.flatMap { lie -> [(Lie, Way)] in
      let isSeenBySQLite = ![.unknownType, .chainInACircle].contains(lie)
      let groups: [[Way]] = [[.memory, .folder, .large]] + (isSeenBySQLite ? [[.set, .row]] : [])
      return groups.flatMap { takesAll ? $0 : [random.pick($0)] }.map { (lie, $0) }
    }
  }()

  @Test(arguments: calls) func `it ends with the table and the page`(lie: Lie, way: Way) throws {
    let project = try Project(rows: way == .large ? 2_400 : 200)
    var store = try LyingStore(project.folder.path("old.sqlite"))
    let page = store.tell(lie)
    try project.folder.write(store.bytes, to: "old.sqlite")
    // A store that was just written is not read without locks.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3_600)],
      ofItemAtPath: project.folder.path("old.sqlite"))
    let names = project.folder.everything
    let outcome = try project.migrate(way.arguments)
    #expect(outcome.status == 40)
    #expect(outcome.errors.contains("error[STO-110]"))
    #expect(outcome.errors.contains("ZNOTE: page \(page) "), "\(outcome.errors)")
    #expect(outcome.errors.contains("the source is unchanged and nothing was left behind"))
    #expect(project.folder.everything == names)
    #expect(project.folder.contents("old.sqlite") == store.bytes)
  }

  /// The same call migrates the store that does not lie, by the pages that the others meet.
  @Test(arguments: Way.allCases) func `without a lie it succeeds`(way: Way) throws {
    let project = try Project(rows: way == .large ? 2_400 : 200)
    let outcome = try project.migrate(way.arguments + ["--format", "json"])
    #expect(outcome.status == 0, "\(outcome.output)")
    let mappings = try outcome.json["steps"]?[0]?["passes"]?[0]?["mappings"]?.elements
    let lane = [.set, .row].contains(way) ? way.rawValue : "page"
    #expect(mappings?.map { $0["lane"]?.text } == [lane, lane])
  }

  /// Two versions of notes and tags, and a store of the first.
  private struct Project {
    let folder: TemporaryDirectory

    init(rows: Int) throws {
      folder = try TemporaryDirectory()
      try folder.write(ModelDocument.encode(Self.model("1")), to: "1.json")
      try folder.write(ModelDocument.encode(Self.model("2")), to: "2.json")
      try folder.write(
        """
        { "source": "1", "destination": "2", "entityMappings": [
          { "type": "copy", "source": "Note", "destination": "Note" },
          { "type": "copy", "source": "Tag", "destination": "Tag" } ] }
        """, to: "Wider.json")
      let store = try TestStore(
        model: Self.model("1"), at: folder.path("old.sqlite"), journalMode: .delete)
      // Two rows of a leaf each, and some that do not fit a page.
      try store.execute(
        """
        WITH n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < \(rows))
          INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT)
          SELECT k, 1, 1, hex(zeroblob(iif(k % 50 = 0, 5000, 900))) FROM n;
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZTEXT)
          SELECT Z_PK + 100000, 2, 1, ZTEXT FROM ZNOTE WHERE Z_PK < 40;
        """)
      try store.close()
    }

    private static func model(_ name: String) -> Model {
      let text = Attribute(name: "text", type: .string)
      let more = name == "1" ? [] : [Attribute(name: "more", type: .string)]
      return Model(
        name: name,
        entities: ["Note", "Tag"].map { Entity(name: $0, attributes: [text] + more) })
    }

    func migrate(_ arguments: [String]) throws -> MigrateProcess.Outcome {
      try MigrateProcess.run(
        [
          "run", "--store", "old.sqlite", "--models", "1.json", "--models", "2.json", "--mappings",
          "Wider.json", "--in-place",
        ] + arguments, in: folder.path)
    }
  }
}

/// The bytes of a store in which one page is made to lie.
private struct LyingStore {
  private(set) var bytes: [UInt8]
  private let pageBytes = 4_096
  private let root: Int
  private let otherRoot: Int
  /// The first page above the leaves.
  private var parent: Int {
    var page = root
    while kind(child(0, of: page)) == 5 { page = child(0, of: page) }
    return page
  }

  init(_ path: String) throws {
    let connection = try Connection(path: path, mode: .readOnly)
    func rootPage(of table: String) throws -> Int {
      Int(
        try connection.integer(
          "SELECT rootpage FROM sqlite_master WHERE name = ?", [.text(table)]))
    }
    #expect(try connection.integer("PRAGMA page_size") == 4_096)
    (root, otherRoot) = (try rootPage(of: "ZNOTE"), try rootPage(of: "ZTAG"))
    bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  /// Has a page lie.
  ///
  /// - Returns: the page on which that is found.
  mutating func tell(_ lie: DamagedPageTests.Lie) -> Int {
    let leaf = child(2, of: parent)
    #expect(kind(leaf) == 13)
    let cell = place(leaf, 8, cell: 0)
    // Two bytes each for the size of the row and for its text's type, one for the key.
    switch lie {
    case .circle:
      set(place(parent, 12, cell: 2), bytes: 4, root)
      return root
    case .outOfTheFile:
      set(place(parent, 12, cell: 2), bytes: 4, 1_000_000)
      return parent
    case .pageOfAnotherTable:
      let other = child(0, of: otherRoot)
      set(place(parent, 12, cell: 2), bytes: 4, other)
      return other
    case .cellOutOfThePage: set((leaf - 1) * pageBytes + 8, bytes: 2, 0xFFF0)
    case .largerRow: bytes[cell + 1] += 1
    case .smallerRow: bytes[cell + 1] -= 1
    case .longerValue: bytes[cell + 3 + 5] += 2
    case .unknownType: bytes[cell + 3 + 1] = 11
    case .chainOutOfTheFile, .chainInACircle:
      let (leaf, offset) = chain
      if lie == .chainOutOfTheFile {
        set(offset, bytes: 4, 1_000_000)
        return leaf
      }
      let head = number(offset, bytes: 4)
      set((head - 1) * pageBytes, bytes: 4, head)
      return head
    }
    return leaf
  }

  private func number(_ place: Int, bytes count: Int) -> Int {
    bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private mutating func set(_ place: Int, bytes count: Int, _ value: Int) {
    for index in 0..<count { bytes[place + count - 1 - index] = UInt8(value >> (8 * index) & 0xFF) }
  }

  /// Where a cell is, of a page whose cells are listed behind so many bytes.
  private func place(_ page: Int, _ list: Int, cell index: Int) -> Int {
    let start = (page - 1) * pageBytes
    return start + number(start + list + 2 * index, bytes: 2)
  }

  private func child(_ index: Int, of page: Int) -> Int {
    #expect(kind(page) == 5)
    return number(place(page, 12, cell: index), bytes: 4)
  }

  /// 5 for a page above others, 13 for a leaf.
  private func kind(_ page: Int) -> UInt8 { bytes[(page - 1) * pageBytes] }

  /// The leaf with the first row that does not fit it, and the place of the number of the next page.
  private var chain: (leaf: Int, offset: Int) {
    for index in 0..<number((parent - 1) * pageBytes + 3, bytes: 2) {
      let leaf = child(index, of: parent)
      for cell in 0..<number((leaf - 1) * pageBytes + 3, bytes: 2) {
        let start = place(leaf, 8, cell: cell)
        let payload = (number(start, bytes: 1) & 0x7F) << 7 | number(start + 1, bytes: 1)
        // https://www.sqlite.org/fileformat.html#b_tree_pages
        guard payload > pageBytes - 35 else { continue }
        let smallest = (pageBytes - 12) * 32 / 255 - 23
        let local = smallest + (payload - smallest) % (pageBytes - 4)
        return (leaf, start + 3 + (local <= pageBytes - 35 ? local : smallest))
      }
    }
    Issue.record("no row has a chain")
    return (0, 0)
  }
}
