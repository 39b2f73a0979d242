import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import Synchronization
import Testing

/// Stops a migration at places where it can be stopped, and continues each time.
enum Interruptions {
  /// Runs a trial again and again, stopped some batches later each time, and continues each.
  ///
  /// - Parameters:
  ///   - places: at how many places it can be stopped at least, which is checked. It is stopped at one of
  ///     the first so many, whatever is drawn.
  ///   - longest: how many batches later at most.
  /// - Returns: the names of the finished stores.
  static func anyBatches(
    of trial: Trial, places: Int = 5, longest: Int = 9, lane: MigrationOptions.Lane = .automatic
  ) throws -> [String] {
    var options = MigrationOptions()
    options.lane = lane
    options.limits.batch = BatchLimits(rows: 1)
    var names: [String] = []
    var slice = FaultSlice("PassageEngineTests")
    var stop = 0
    while true {
      stop = slice.next(after: stop, longest: stop == 0 ? min(places, longest) : longest)
      let name = "stopped-\(lane)-\(stop).sqlite"
      let control = StoppingControl(after: stop)
      do {
        try trial.run(to: name, options: options, control: control.control)
        // It was finished before it was stopped.
        names.append(name)
        #expect(stop > places && names.count > 1)
        return names
      } catch let error as MigrationError {
        #expect(error.kind == .cancelled)
        #expect(error.codes == ["RUN-013"])
      }
      #expect(trial.directory.contents(name) == nil)
      let report = try trial.run(to: name, options: options)
      #expect(report.outcome == .migrated)
      if stop > 4 { #expect(report.wasContinued) }
      names.append(name)
    }
  }
}

/// A control that asks to stop at the n-th question whether to.
struct StoppingControl {
  let control: RunControl

  init(after stop: Int) {
    let asked = Mutex(0)
    control = RunControl(willContinue: {
      asked.withLock { count in
        count += 1
        return count < stop
      }
    })
  }
}

extension Trial {
  /// Runs the migration until its first pass is finished, and stops it there.
  ///
  /// - Parameter sql: changes the pass store, to which the step's journal is attached as `journal`.
  func finishPass(options: MigrationOptions, then sql: String) throws {
    let passStore = directory.path("new.sqlite.passage/step-1/pass-1.sqlite")
    let journal = directory.path("new.sqlite.passage/step-1/journal.sqlite")
    let isFinished = Mutex(false)
    let control = RunControl { progress in
      if progress.phase == .assemble { isFinished.withLock { $0 = true } }
    } willContinue: {
      !isFinished.withLock { $0 }
    }
    _ = try failure(options: options, control: control)
    let store = try Connection(path: passStore, mode: .readWrite)
    try store.attach(journal, as: "journal", mode: .readWrite)
    #expect(
      try store.integer("SELECT count(*) FROM journal.state WHERE name = 'finished'") > 0)
    #expect(directory.contents("new.sqlite.passage/step-1/account.json") == nil)
    try store.execute(sql)
  }
}
