/// A scenario with its source store made and the tables and indexes of its destination known.
struct PreparedScenario {
  let scenario: Scenario
  let size: Int
  let source: String
  /// The statements that make the destination's tables and indexes: what Passage makes, so that
  /// everybody makes the same.
  let tables: String
  let indexes: String

  private let tools: Tools

  /// - Parameter size: as `--sizes` has it.
  init(_ scenario: Scenario, size: Int, tools: Tools) throws {
    self.scenario = scenario
    let size = size / scenario.share
    self.size = size
    self.tools = tools
    source = tools.folder.path("source.sqlite")
    tools.folder.remove("source.sqlite")
    let model = tools.file("Source.json", of: scenario)
    if !scenario.isPlain { try tools.subject("tables", model, source) }
    _ = try tools.shell(
      """
      .parameter init
      .parameter set :objects \(size)
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      BEGIN;
      \(tools.text("Fill.sql", of: scenario))
      COMMIT;
      """, on: source)
    if !scenario.isPlain { try tools.subject("finish", model, source) }
    let empty = tools.folder.path("empty.sqlite")
    tools.folder.remove("empty.sqlite")
    let destination = tools.file("Destination.json", of: scenario)
    try tools.subject("tables", destination, empty)
    try tools.subject("finish", destination, empty)
    func statements(_ type: String) throws -> String {
      try tools.shell(
        "SELECT sql || ';' FROM sqlite_master WHERE type = '\(type)' AND sql IS NOT NULL;",
        on: empty
      ).output
    }
    tables = try statements("table")
    indexes = try statements("index")
  }

  /// Whether the store is large enough for a goal.
  var isJudged: Bool { size >= Goal.smallestSize }

  /// The engine, from the start of its process to its end: its sync and its rename are in it.
  ///
  /// - Parameters:
  ///   - subject: the library of this build, or of another.
  ///   - options: of the subject's `migrate`.
  func runEngine(_ subject: String, _ options: String...) throws -> Child.Outcome {
    let store = tools.folder.path("engine.sqlite")
    tools.folder.remove("engine.sqlite")
    var outcome = try Child(
      program: subject,
      arguments: ["migrate", "\(tools.scenarios)/\(scenario.folder)", source, store]
        + laneOptions + options
    ).run(durable: store, in: tools.folder)
    outcome.peakBytes = outcome.lines("peak-bytes").first.flatMap { Int($0) } ?? outcome.peakBytes
    return outcome
  }

  /// How often the engine asks the system to make something durable; `nil` where that cannot be
  /// counted, because `strace` is missing or not allowed.
  func syncs(_ options: String...) throws -> Int? {
    tools.folder.remove("engine.sqlite")
    let log = tools.folder.path("syncs")
    let calls = "fsync,fdatasync,sync,syncfs,msync"
    let outcome = try? Child(
      program: "strace",
      arguments: [
        "-f", "-q", "-o", log, "-e", "trace=\(calls)", tools.subject, "migrate",
        "\(tools.scenarios)/\(scenario.folder)", source, tools.folder.path("engine.sqlite"),
      ] + laneOptions + options
    ).run(in: tools.folder)
    guard outcome != nil else { return nil }
    let names = calls.split(separator: ",")
    return try Folder.text(log).split(separator: "\n").count { line in
      names.contains { line.contains("\($0)(") }
    }
  }

  /// The lane as the subject takes it; nothing where none is forced, which other builds know too.
  private var laneOptions: [String] {
    let lane = scenario.lane ?? tools.lane
    return lane == "auto" ? [] : ["--lane", lane]
  }

  /// Hand-written SQL in the sqlite3 shell, without a journal and without a sync but the last.
  func runHandWritten() throws -> Child.Outcome {
    tools.folder.remove("yardstick.sqlite")
    return try tools.shell(
      """
      \(preparation)
      BEGIN;
      \(try tools.text("HandWritten.sql", of: scenario))
      COMMIT;
      \(indexes)
      """, on: tools.folder.path("yardstick.sqlite"), durable: true)
  }

  /// The script in Python with the same settings.
  func runScript() throws -> Child.Outcome {
    tools.folder.remove("yardstick.sqlite")
    let path = tools.folder.path("yardstick.sqlite")
    return try Child(
      program: "python3",
      arguments: [
        tools.file("Script.py", of: scenario), source, path,
        tools.folder.write(preparation, to: "preparation.sql"),
        tools.folder.write(indexes, to: "indexes.sql"),
      ]
    ).run(durable: path, in: tools.folder)
  }

  /// The plain C loop with the same settings.
  func runPlainLoop() throws -> Child.Outcome {
    tools.folder.remove("yardstick.sqlite")
    let path = tools.folder.path("yardstick.sqlite")
    return try Child(
      program: tools.plainLoop,
      arguments: [
        path, preparation, tools.text("LoopSelect.sql", of: scenario),
        tools.text("LoopInsert.sql", of: scenario), indexes,
      ]
    ).run(durable: path, in: tools.folder)
  }

  private var preparation: String {
    """
    PRAGMA page_size = 4096;
    PRAGMA auto_vacuum = INCREMENTAL;
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    ATTACH '\(source)' AS source;
    \(tables)
    """
  }

  /// Whether engine and yardstick have made the same store.
  func check() throws {
    let query = try tools.text("Check.sql", of: scenario)
    let engine = try tools.shell(query, on: tools.folder.path("engine.sqlite")).output
    let yardstick = try tools.shell(query, on: tools.folder.path("yardstick.sqlite")).output
    guard engine == yardstick else {
      throw Child.Failure(
        description: "\(scenario.name): the engine's store says \(engine), the other \(yardstick)")
    }
    // Indexes against their tables too, where that does not take minutes.
    let proof = size < 5_000_000 ? "integrity_check" : "quick_check"
    let damage = try tools.shell("PRAGMA \(proof);", on: tools.folder.path("engine.sqlite")).output
    guard damage == "ok\n" else {
      throw Child.Failure(description: "\(scenario.name): the engine's store is damaged: \(damage)")
    }
    let count = engine.prefix { $0.isNumber }
    guard Int(count) == scenario.expectedCount(size) else {
      throw Child.Failure(
        description: "\(scenario.name): \(count) objects instead of \(scenario.expectedCount(size))"
      )
    }
  }

  func remove() {
    for name in ["source", "empty", "engine", "yardstick"] { tools.folder.remove(name + ".sqlite") }
  }
}
