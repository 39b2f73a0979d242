extension Single {
  /// 2,000 objects in two passes: the work in a process that has done it before, and a process of
  /// its own from its start to its end, with the syncs of each.
  static func smallStores(_ prepared: PreparedScenario, _ tools: Tools, _ rounds: Int) throws
    -> [Single]
  {
    // So many that the process is as warm as one that migrates thousands.
    let repetitions = 40
    var inProcess: [Double] = []
    var whole: [Double] = []
    for _ in 0..<rounds {
      whole.append(try prepared.runEngine(tools.subject).processorSeconds * 1000)
      let outcome = try prepared.runEngine(tools.subject, "--repeat", "\(repetitions)")
      inProcess.append(outcome.lines("round").compactMap { Double($0) }.median * 1000)
    }
    let title = "2,000 objects, two passes"
    var singles = [
      Single(
        name: "Prepared", title: "\(title), in a prepared process", values: inProcess, unit: "ms",
        goal: 3),
      Single(
        name: "Prepared", title: "\(title), whole process", values: whole, unit: "ms", goal: 15),
    ]
    if let once = try prepared.syncs(), let often = try prepared.syncs("--repeat", "\(repetitions)")
    {
      singles += [
        Single(
          name: "Prepared", title: "\(title), in a prepared process",
          values: [Double(often - once) / Double(repetitions)], unit: "syncs", digits: 0, goal: 2),
        Single(
          name: "Prepared", title: "\(title), whole process", values: [Double(once)],
          unit: "syncs", digits: 0, goal: 2),
      ]
    } else {
      tools.note("syncs are not counted: strace is missing or not allowed")
    }
    return singles
  }

  /// The command line: what needs no store, and a store that needs nothing.
  static func processes(_ prepared: PreparedScenario, _ tools: Tools, _ rounds: Int) throws
    -> [Single]
  {
    guard let migrate = tools.migrate else { return [] }
    let model = tools.file("Source.json", of: prepared.scenario)
    let calls: [(title: String, goal: Double, arguments: [String])] = [
      ("`migrate --version`", 6, ["--version"]),
      (
        "`migrate status` of an up-to-date store", 9,
        [
          "status", "--store", prepared.source, "--models", model,
          // Not the project around it, if there is one.
          "--migrations", tools.folder.path(""), "--mappings-dir", tools.folder.path(""),
        ]
      ),
    ]
    var values = calls.map { _ in [Double]() }
    for _ in 0..<rounds {
      for (index, call) in calls.enumerated() {
        let outcome = try Child(program: migrate, arguments: call.arguments).run(in: tools.folder)
        values[index].append(outcome.processorSeconds * 1000)
      }
    }
    return zip(calls, values).map {
      Single(name: "Processes", title: $0.title, values: $1, unit: "ms", goal: $0.goal)
    }
  }
}
