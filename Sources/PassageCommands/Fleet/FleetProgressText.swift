package import Passage
package import PassageFleets

/// The progress of a run over many stores as text.
package struct FleetProgressText {
  private let progress: FleetProgress

  package init(_ progress: FleetProgress) { self.progress = progress }

  /// For a log: `43 %  430 of 1,000 stores  2 failed  512/s  18 s left`
  package var line: String { words(rate, timeLeft).joined(separator: "  ") }

  /// For a terminal, with a bar as wide as the terminal allows.
  package func bar(columns: Int, in palette: Palette = .plain) -> String {
    // The least important part comes last and is left out first on a narrow terminal.
    var parts = words(timeLeft, rate)
    var text = parts.joined(separator: "  ")
    while text.count + Self.minimumCells + 4 > columns, parts.count > 1 {
      parts.removeLast()
      text = parts.joined(separator: "  ")
    }
    let cells = min(Self.maximumCells, columns - text.count - 4)
    guard cells > 0 else { return String(text.prefix(max(0, columns - 1))) }
    let filled = Int(Double(cells) * progress.fraction)
    return "[" + palette.paint(String(repeating: "#", count: filled), .progress)
      + String(repeating: "-", count: cells - filled) + "] " + text
  }

  private static let minimumCells = 10
  private static let maximumCells = 30

  private func words(_ last: String?...) -> [String] {
    let percent = "\(Int(progress.fraction * 100)) %"
    var words = [
      String(repeating: " ", count: max(0, 5 - percent.count)) + percent,
      "\(NumberText.count(progress.doneStores)) of \(NumberText.count(progress.stores, "store"))",
    ]
    if progress.failed > 0 { words.append("\(NumberText.count(progress.failed)) failed") }
    if progress.isCanary { words.append("those that come first") }
    return words + last.compactMap(\.self)
  }

  private var rate: String? {
    guard progress.storesPerSecond >= 0.1 else { return nil }
    let stores = progress.storesPerSecond
    return stores < 10
      ? "\((stores * 10).rounded() / 10)/s" : "\(NumberText.count(Int64(min(stores, 1e12))))/s"
  }

  private var timeLeft: String? {
    guard let left = progress.secondsLeft, left > 0.5 else { return nil }
    return "\(NumberText.wholeSeconds(left)) left"
  }

  /// One line of JSON.
  package var json: JSONText {
    .shortObject([
      ("type", .string("progress")), ("fraction", .measure(progress.fraction)),
      ("stores", .integer(progress.stores)), ("done", .integer(progress.doneStores)),
      ("failed", .integer(progress.failed)), ("bytes", .integer(progress.bytes)),
      ("doneBytes", .integer(progress.doneBytes)), ("isCanary", .bool(progress.isCanary)),
      ("storesPerSecond", .measure(progress.storesPerSecond)),
      ("bytesPerSecond", .measure(progress.bytesPerSecond)),
      ("secondsLeft", progress.secondsLeft.map { .measure($0) } ?? .null),
    ])
  }
}
