internal import PassageDiagnostics

extension MigrationPage {
  /// What the comparison of two stores found.
  var comparisonContent: Markup {
    guard let comparison else { return "" }
    var table = ReportTable([
      ("entity", .text), ("expected", .number), ("found", .number), ("differ", .number),
    ])
    for part in comparison.parts {
      let mark: Markup = part.differing > 0 ? "<span class='swatch lost'></span>" : ""
      table.add([
        mark + "<b>\(part.name)</b>", "\(NumberText.count(part.expected))",
        "\(NumberText.count(part.found))", "\(NumberText.count(part.differing))",
      ])
    }
    let lines = comparison.differences.map { "<li>\($0)</li>" as Markup }.joined()
    guard !lines.isEmpty else { return table.markup }
    let more: Markup =
      comparison.unlistedCount > 0
      ? "<p>And \(NumberText.count(comparison.unlistedCount)) more.</p>" : ""
    return table.markup + "<h3>Differences</h3><ul class='reasons'>\(lines)</ul>\(more)"
  }

  /// The migrations that the store records.
  var recordContent: Markup {
    guard !record.entries.isEmpty || !record.remarks.isEmpty else { return "" }
    var table = ReportTable([
      ("date", .text), ("from", .text), ("to", .text), ("mapping models", .text),
      ("read", .number), ("made", .number), ("Passage", .text), ("digest", .text),
    ])
    for entry in record.entries {
      table.add([
        "<span class='date'>\(entry.timeText)</span>", "\(entry.source)", "\(entry.destination)",
        "\(entry.mappings.joined(separator: ", "))", "\(NumberText.count(entry.read))",
        "\(NumberText.count(entry.made))", "\(entry.toolVersion)",
        "<code>\(String(entry.digest.prefix(12)))</code>",
      ])
    }
    let remarks = record.remarks.map { "<p>\($0)</p>" as Markup }.joined()
    let lead: Markup =
      "<p class='lead'>What <code>\(record.storePath)</code> says about itself.</p>"
    return lead + (record.entries.isEmpty ? "" : table.markup) + remarks
  }
}
