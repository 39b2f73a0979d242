internal import PassageDiagnostics

/// How many stores took how long, in bins that grow as 1, 2, 5, 10.
package struct TimeHistogram: Sendable, Hashable {
  /// A bin: from the limit of the one before, which belongs to that one, to its own.
  package struct Bin: Sendable, Hashable {
    /// In seconds; `nil` for the last, which has no end.
    package var limit: Double?
    package var count = 0
  }

  /// All bins, the shortest times first.
  package private(set) var bins: [Bin]

  package init() {
    let powers = [1, 10, 100, 1_000, 10_000, 100_000]
    bins = powers.flatMap { power in
      [1, 2, 5].map { Bin(limit: Double(power * $0) / 1_000) }
    }
    bins += [Bin(limit: 1_000), Bin(limit: nil)]
  }

  package mutating func add(_ seconds: Double) {
    let place = bins.firstIndex { $0.limit.map { seconds <= $0 } ?? true } ?? bins.count - 1
    bins[place].count += 1
  }

  /// The bins from the first to the last in which there is a store.
  package var shown: ArraySlice<Bin> {
    guard let first = bins.firstIndex(where: { $0.count > 0 }),
      let last = bins.lastIndex(where: { $0.count > 0 })
    else { return [] }
    return bins[first...last]
  }

  /// What the bins that are shown hold: `up to 1 ms`, `2 ms to 5 ms`, `over 16 min 40 s`.
  package var shownNames: [String] {
    shown.indices.map { place in
      let start = place > 0 ? bins[place - 1].limit.map { NumberText.duration($0) } : nil
      return switch (start, bins[place].limit.map { NumberText.duration($0) }) {
      case (let start?, let end?): "\(start) to \(end)"
      case (let start?, nil): "over \(start)"
      case (nil, let end): "up to \(end ?? "")"
      }
    }
  }
}
