internal import Passage
internal import PassageFleets

/// The failures of a fleet by code, each with its remedy once.
struct FailureLines {
  private let totals: FleetTotals

  init(_ totals: FleetTotals) { self.totals = totals }

  var lines: [String] {
    var lines = totals.failures.flatMap { failure in
      [
        "",
        "\(NumberText.count(failure.count)) × \(failure.code), class \(failure.exitClass): "
          + PathText.shown(failure.message), "  first \(failure.example)",
      ] + (failure.remedy.map { ["  try   \(PathText.shown($0))"] } ?? [])
    }
    if totals.unlistedFailures > 0 {
      lines += ["", "\(NumberText.count(totals.unlistedFailures)) with other codes"]
    }
    return lines
  }

  var json: JSONText {
    .list(
      totals.failures.map { failure in
        .object([
          ("code", .string(failure.code)), ("class", .integer(failure.exitClass)),
          ("count", .integer(failure.count)), ("message", .string(failure.message)),
          ("remedy", .optional(failure.remedy)), ("first", .string(failure.example)),
        ])
      })
  }
}
