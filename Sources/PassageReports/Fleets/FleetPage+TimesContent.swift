internal import PassageDiagnostics
internal import PassageFleets

extension FleetPage {
  private static let rowHeight = 24.0
  private static let barStart = 150.0
  private static let barWidth = 420.0

  /// A bar for each range of times; what it counts stands beside it.
  var timesContent: Markup {
    let bins = Array(summary.times.shown)
    guard let most = bins.map(\.count).max(), most > 0 else { return "" }
    let rows = zip(summary.times.shownNames, bins).enumerated().map { position, shown in
      row(position, shown.0, shown.1.count, share: Double(shown.1.count) / Double(most))
    }
    let (width, height) = (Self.barStart + Self.barWidth + 110, Self.rowHeight * Double(bins.count))
    return """
      <div class='scroll drawing' tabindex='0' role='region' aria-label='Times'>\
      <svg role='img' aria-label='Times of migrated stores' width='\(width)' height='\(height)' \
      viewBox='0 0 \(width) \(height)'>\(rows.joined())</svg></div>
      """
  }

  private func row(_ position: Int, _ name: String, _ count: Int, share: Double) -> Markup {
    let top = Self.rowHeight * Double(position)
    let width = max(count > 0 ? 2 : 0, Self.barWidth * share)
    return """
      <text class='line' x='0' y='\(top + 16)'>\(name)</text>\
      <rect class='migrated' x='\(Self.barStart)' y='\(top + 4)' width='\(width)' height='16'/>\
      <text x='\(Self.barStart + width + 8)' y='\(top + 16)'>\(NumberText.count(Int64(count)))</text>
      """
  }
}
