internal import PassageDiagnostics

extension MigrationPage {
  /// The passes with their time, rate and lanes.
  var passesContent: Markup {
    let passes = steps.flatMap { step in step.passes.map { (step, $0) } }
    guard !passes.isEmpty else { return "" }
    let isTimed = passes.contains { $0.1.seconds != nil }
    var table = ReportTable(
      [
        ("pass", .text), ("from", .text), ("to", .text), ("mappings", .number),
        ("objects", .number),
      ] + (isTimed ? [("time", .number), ("objects/s", .number)] : []) + [("lane", .text)])
    for (step, pass) in passes {
      let name: Markup =
        pass.isInferred ? "<b>\(pass.name)</b> (inferred)" : "<b>\(pass.name)</b>"
      let ends: [Markup] = ["\(step.source)", "\(step.destination)"]
      let numbers: [Markup] = [
        "\(NumberText.count(Int64(pass.mappings.count)))", "\(pass.objectsText)",
      ]
      let times: [Markup] = isTimed ? ["\(pass.timeText)", "\(rateText(pass))"] : []
      table.add([name] + ends + numbers + times + [pass.lanes])
    }
    return table.markup + laneReasons
  }

  private func rateText(_ pass: Pass) -> String {
    guard let seconds = pass.seconds, seconds > 0, !wasContinued, let read = pass.objects,
      read > 0
    else { return "" }
    return NumberText.count(Int64(min(Double(read) / seconds, 1e15)))
  }

  /// Why mappings do not run in a lane that may be faster.
  private var laneReasons: Markup {
    let reasons = mappings.filter { $0.laneReason != nil }
    guard !reasons.isEmpty else { return "" }
    let items = reasons.map { mapping in
      """
      <li><b><bdi>\(mapping.name)</bdi></b> in the \(mapping.lane) lane: \
      \(mapping.laneReason ?? "")</li>
      """ as Markup
    }.joined()
    return "<details><summary>Why these lanes</summary><ul class='reasons'>\(items)</ul></details>"
  }

  /// What became of the objects, by entity mapping. Of many mappings that carry everything over, only
  /// the sum is shown at first.
  var accountContent: Markup {
    let lines = steps.flatMap(\.passes).flatMap { pass in
      pass.mappings.compactMap { mapping in
        mapping.counts.map { AccountLine(pass: pass.name, mapping: mapping, counts: $0) }
      }
    }
    guard !lines.isEmpty else { return "" }
    let totals = totals
    let fates = Fate.allCases.filter { fate in
      fate != .lost && (totals[fate] > 0 || [.migrated, .filtered].contains(fate))
    }
    let plain = lines.filter(\.mapping.isPlain)
    let isFolded = plain.count > Self.openPlainLines
    var table = AccountLine.table(isFolded ? lines.filter { !$0.mapping.isPlain } : lines, fates)
    if isFolded {
      let name = NumberText.count(Int64(plain.count), "mapping") + " that carried everything over"
      table.add(texts: AccountLine.cells(name, "", plain.map(\.counts).sum, fates))
    }
    if lines.count > 1 { table.setFoot(AccountLine.cells("all", "", totals, fates)) }
    guard isFolded else { return table.markup }
    let rest = AccountLine.table(plain, fates).markup
    return table.markup
      + "<details><summary>The mappings that carried everything over</summary>\(rest)</details>"
  }

  /// So many mappings that carry everything over are shown one by one.
  private static let openPlainLines = 12

  /// The values and links that the new store does not hold.
  var lossesContent: Markup {
    guard !losses.isEmpty else { return "" }
    var table = ReportTable([
      ("property", .text), ("lost", .number), ("how", .text), ("mapping", .text),
    ])
    for loss in losses {
      table.add([
        "<span class='swatch lost'></span><b>\(loss.entity).\(loss.property)</b>",
        "\(loss.count.map { NumberText.count($0) } ?? "not counted")", "\(loss.words)",
        "\(loss.mapping)",
      ])
    }
    return table.markup
  }
}

extension MigrationPage.Pass {
  /// The objects that the pass reads; `nil` when they are not counted.
  fileprivate var objects: Int64? {
    let counts = mappings.compactMap { $0.counts?.read ?? $0.objects }
    guard !counts.isEmpty else { return nil }
    return counts.reduce(0) { $0.addingReportingOverflow($1).partialValue }
  }

  fileprivate var objectsText: String { objects.map { NumberText.count($0) } ?? "" }

  fileprivate var timeText: String { seconds.map { NumberText.duration($0) } ?? "" }

  /// The lanes of the mappings, with how many are in each if there are several.
  fileprivate var lanes: Markup {
    let all = mappings.map(\.lane)
    let lanes = ["page", "set", "row"].filter { all.contains($0) }
    if lanes.count == 1 { return "\(lanes[0])" }
    return
      "\(lanes.map { lane in "\(lane) (\(all.count { $0 == lane }))" }.joined(separator: ", "))"
  }
}
