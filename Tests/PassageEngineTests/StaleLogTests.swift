import Foundation
import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import PassageValues
import Testing

/// A source with a log in which the salts of frames are not those of its header, as of frames that are left
/// from an older log: it ends there, for pages as for SQLite.
@Suite struct StaleLogTests {
  private static let pageBytes = 4_096
  private static let frameBytes = 24 + pageBytes

  /// A store with several transactions in its log, whose files are given back.
  private static func trial() throws -> (trial: Trial, store: [UInt8], log: [UInt8]) {
    let source = Model("1", [Entity("Car", [.text("plate")])])
    let copy = try mapping(#"{"type": "copy", "source": "Car", "destination": "Car"}"#)
    let trial = try Trial(
      source, Model("2", [Entity("Car", [.number("age"), .text("plate")])]), [copy]
    ) { store in
      for number in 1...40 { try store.insert("Car", ["plate": .text("plate \(number)")]) }
    }
    let writer = try Connection(path: trial.sourcePath, mode: .readWrite)
    try writer.execute("PRAGMA wal_autocheckpoint = 0")
    for transaction in 1...4 {
      try writer.transaction {
        try writer.execute("UPDATE ZCAR SET ZPLATE = 'new ' || \(transaction) WHERE Z_PK < 4")
        try writer.execute(
          """
          WITH n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 25)
            INSERT INTO ZCAR (Z_ENT, Z_OPT, ZPLATE)
            SELECT 1, 1, hex(zeroblob(60)) || \(transaction) FROM n
          """)
      }
    }
    let store = try #require(trial.directory.contents("old.sqlite"))
    return (trial, store, try #require(trial.directory.contents("old.sqlite-wal")))
  }

  /// What SQLite reads of a store.
  private static func rows(_ path: String) throws -> [[Value]] {
    try Connection(path: path, mode: .readWrite)
      .rows("SELECT Z_PK, Z_ENT, ZPLATE FROM ZCAR ORDER BY Z_PK")
  }

  @Test(arguments: [true, false], [true, false])
  func `wrong salts from a frame on give the store that SQLite reads`(
    isOneFrame: Bool, inMemory: Bool
  ) throws {
    var (trial, store, log) = try Self.trial()
    trial.worksInMemory = inMemory
    if !inMemory { trial.lane = .page }
    let frames = (log.count - 32) / Self.frameBytes
    try #require(frames > 8)
    var counts: Set<Int> = []
    for frame in 0..<frames {
      var stale = log
      for place in frame..<(isOneFrame ? frame + 1 : frames) {
        stale[32 + place * Self.frameBytes + 15] ^= 0x40
      }
      for folder in ["", "read-"] {
        try trial.directory.write(store, to: "\(folder)old.sqlite")
        try trial.directory.write(stale, to: "\(folder)old.sqlite-wal")
      }
      let expected = try Self.rows(trial.directory.path("read-old.sqlite"))
      let report = try trial.run(to: "new-\(frame).sqlite")
      #expect(report.steps[0].mappings.map(\.lane) == [.page])
      #expect(report.warnings.all.map(\.code) == [])
      #expect(try Self.rows(trial.directory.path("new-\(frame).sqlite")) == expected)
      counts.insert(expected.count)
    }
    // It ended behind each transaction.
    #expect(counts == [40, 65, 90, 115])
  }
}
