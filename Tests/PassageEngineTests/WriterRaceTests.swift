import Foundation
import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import Synchronization
import Testing

/// Another program commits to the source, at each moment of a run that reads its pages: the result has
/// a moment of the source, or there is none.
@Suite struct WriterRaceTests {
  enum Way: CaseIterable {
    /// With the work in memory. A store in WAL mode that was written long ago is read without SQLite's
    /// locks then.
    case memory
    /// With the work in the folder, inside SQLite's read transaction.
    case folder
  }

  /// What became of one run.
  private struct Round {
    var hasReached = false
    var hasCommitted = false
    var codes: [String] = []
  }

  @Test(arguments: [StoreBuilder.JournalMode.wal, .delete], Way.allCases)
  func `a result has a moment of the source, or there is none`(
    mode: StoreBuilder.JournalMode, way: Way
  ) throws {
    var rounds: [Round] = []
    repeat {
      rounds.append(try Self.round(moment: rounds.count, mode, way))
    } while rounds.last?.hasReached == true
    rounds.removeLast()
    #expect(rounds.count > 5)
    let refused = rounds.count { $0.codes == ["RUN-012"] }
    let heldOff = rounds.count { !$0.hasCommitted }
    if mode == .delete {
      // The lock of whoever reads keeps every commit out.
      #expect(heldOff > 5)
    } else {
      #expect(refused > 0)
      #expect(heldOff == 0)
    }
  }

  /// Runs once, with a commit at one of the moments at which progress is told.
  private static func round(
    moment: Int, _ mode: StoreBuilder.JournalMode, _ way: Way
  ) throws -> Round {
    let trial = try trial(mode, way)
    let state = Mutex((told: 0, round: Round()))
    let control = RunControl(report: { [path = trial.sourcePath] _ in
      state.withLock { state in
        defer { state.told += 1 }
        guard state.told == moment else { return }
        state.round.hasReached = true
        do {
          state.round.hasCommitted = try commit(path)
        } catch {
          Issue.record(error)
        }
      }
    })
    var options = MigrationOptions()
    options.limits.batch = BatchLimits(rows: 60)
    let result = Result {
      try trial.migration(to: .file(trial.directory.path("new.sqlite")), options: options)
        .run(control: control)
    }
    var round = state.withLock { $0.round }
    switch result {
    case .success(let report):
      #expect(report.steps.flatMap(\.mappings).allSatisfy { $0.lane == .page })
      let (cars, dogs) = try pairs(trial.directory.path("new.sqlite"))
      #expect(cars == dogs, "moment \(moment) has half of a transaction")
      #expect(cars == 200 || round.hasCommitted && cars == 201)
    case .failure(let error):
      let error = try #require(error as? MigrationError)
      round.codes = error.codes
      #expect(error.codes == ["RUN-012"], "moment \(moment): \(error)")
      #expect(round.hasCommitted)
      #expect(trial.directory.contents("new.sqlite") == nil)
    }
    let (cars, dogs) = try pairs(trial.sourcePath)
    #expect((cars, dogs) == (round.hasCommitted ? (201, 201) : (200, 200)))
    return round
  }

  private static func trial(_ mode: StoreBuilder.JournalMode, _ way: Way) throws -> Trial {
    func model(_ name: String) -> Model {
      let more: [Attribute] = name == "1" ? [] : [.number("age")]
      return Model(name, ["Car", "Dog"].map { Entity($0, [.text("plate")] + more) })
    }
    let copies = try ["Car", "Dog"].map {
      try mapping(#"{"type": "copy", "source": "\#($0)", "destination": "\#($0)"}"#)
    }
    var trial = try Trial(
      model("1"), model("2"), way == .memory ? [mapping(both)] : copies, journalMode: mode
    ) { store in
      for (number, table) in ["ZCAR", "ZDOG"].enumerated() {
        try store.execute(
          """
          WITH n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 200)
            INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT, ZPLATE)
            SELECT k, \(number + 1), 1, 'plate ' || k FROM n
          """)
      }
    }
    trial.worksInMemory = way == .memory
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3_600)], ofItemAtPath: trial.sourcePath)
    return trial
  }

  /// One pass, which pages make in memory.
  private static let both =
    #"{"type": "copy", "source": "Car", "destination": "Car"}, "#
    + #"{"type": "copy", "source": "Dog", "destination": "Dog"}"#

  /// Adds a row to both tables, as another program does.
  ///
  /// - Returns: whether it was let.
  private static func commit(_ path: String) throws -> Bool {
    do {
      let writer = try Connection(path: path, mode: .readWrite, busyTimeout: 0)
      try writer.transaction {
        for (number, table) in ["ZCAR", "ZDOG"].enumerated() {
          try writer.execute(
            "INSERT INTO \(table) (Z_ENT, Z_OPT, ZPLATE) VALUES (\(number + 1), 1, 'live')")
        }
      }
      return true
    } catch let error as SQLiteError where error.isBusy {
      return false
    }
  }

  private static func pairs(_ path: String) throws -> (cars: Int64, dogs: Int64) {
    let store = try Connection(path: path, mode: .readOnly)
    return (
      try store.integer("SELECT count(*) FROM ZCAR"), try store.integer("SELECT count(*) FROM ZDOG")
    )
  }
}
