import Foundation
import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import PassageValues
import Testing

extension MigrationOptions {
  /// Page by page, by so many threads, always at the same time: the record in a store names it.
  static func pages(jobs: Int, batch: Int = 50_000) -> MigrationOptions {
    var options = MigrationOptions()
    options.lane = .page
    options.present = FrozenPresent(Date(timeIntervalSinceReferenceDate: 800_000_000.125))
    options.limits.jobs = jobs
    options.limits.batch = BatchLimits(rows: batch)
    return options
  }
}

extension Trial {
  /// Runs while no time passes: what is put in place every second, however slow the machine is, is put in
  /// place at one moment. Each such moment is counted in the header of the store.
  @discardableResult
  func runInOneMoment(
    to name: String, options: MigrationOptions, control: RunControl = RunControl()
  ) throws -> MigrationReport {
    let now = ContinuousClock.now
    return try MarkClock.$time.withValue({ now }) {
      try run(to: name, options: options, control: control)
    }
  }

  /// The pages in which two stores of equal size differ.
  func differingPages(_ one: String, _ other: String) throws -> [Int] {
    let bytes = try [one, other].map { try #require(directory.contents($0)) }
    #expect(bytes[0].count == bytes[1].count)
    return stride(from: 0, to: min(bytes[0].count, bytes[1].count), by: 4_096).filter { start in
      bytes[0][start..<start + 4_096] != bytes[1][start..<start + 4_096]
    }.map { $0 / 4_096 + 1 }
  }
}

extension Interruptions {
  /// Ends a run as if the machine had stopped the program between a table's root and the file's
  /// header, and runs again: the pass starts anew and gives the same store.
  ///
  /// - Parameter begun: a pattern of the state by which the journal tells that this work has begun.
  static func killInMoment(of trial: Trial, begun: String) throws {
    let options = MigrationOptions.pages(jobs: 1)
    try trial.run(to: "whole.sqlite", options: options)
    let journal = trial.directory.path("new.sqlite.passage/step-1/journal.sqlite")
    for stop in 1... {
      _ = try trial.failure(options: options, control: StoppingControl(after: stop).control)
      guard let store = try? Connection(path: journal, mode: .readWrite),
        try store.integer("SELECT count(*) FROM sqlite_master WHERE name = 'state'") > 0,
        try store.integer("SELECT count(*) FROM state WHERE name LIKE ?", [.text(begun)]) > 0
      else { continue }
      try store.execute("INSERT INTO state (pass, name, value) VALUES (0, 'pages:moment', 1)")
      break
    }
    let report = try trial.run(options: options)
    #expect(report.discardedWork?.contains("pages were being put in place") == true)
    let rows = try ["whole.sqlite", "new.sqlite"].map {
      try StoreRows(path: trial.directory.path($0))
    }
    #expect(rows[1].differences(from: rows[0]) == [])
  }
}
