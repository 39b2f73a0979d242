/// The largest ratio to the yardstick that is good enough.
enum Goal {
  /// At every size that can be judged.
  case everywhere(Double)
  /// From a number of objects on, until the next; stores with fewer objects are not judged.
  case from([Int: Double])

  /// The fewest objects whose figure can be judged: with fewer, the start of a process counts more
  /// than the work.
  static let smallestSize = 100_000

  /// The goal at a size; `nil` where the figure is only told.
  func ratio(at size: Int) -> Double? {
    guard size >= Self.smallestSize else { return nil }
    switch self {
    case .everywhere(let ratio): return ratio
    case .from(let ratios):
      return ratios.keys.filter { $0 <= size }.max().flatMap { ratios[$0] }
    }
  }
}
