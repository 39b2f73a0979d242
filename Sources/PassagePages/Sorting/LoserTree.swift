/// The sorted runs of a merge, each with its next entry.
protocol MergeRuns: AnyObject {
  /// Whether the next entry of a run comes before that of another. A run at its end comes last.
  func isBefore(_ one: Int, _ other: Int) -> Bool
}

/// Finds the run with the smallest next entry in as many comparisons as the tree is high (Knuth,
/// The Art of Computer Programming, volume 3, section 5.4.1).
final class LoserTree {
  /// For each inner node the run that lost there; the winner of all at 0.
  private let nodes: UnsafeMutablePointer<Int32>
  private let count: Int

  /// - Parameter count: of the runs, at least one.
  init(count: Int) {
    precondition(count > 0)
    self.count = count
    nodes = .allocate(capacity: count)
    nodes.initialize(repeating: -1, count: count)
  }

  deinit { nodes.deallocate() }

  /// Finds the first winner. Every run has its first entry.
  func begin<Runs: MergeRuns>(_ runs: Runs) {
    for run in 0..<count {
      var winner = Int32(run)
      var node = (run + count) / 2
      while node > 0 {
        // The first to come waits for the other.
        if nodes[node] < 0 { break }
        if runs.isBefore(Int(nodes[node]), Int(winner)) { swap(&nodes[node], &winner) }
        node /= 2
      }
      nodes[node] = winner
    }
  }

  /// The run with the smallest next entry.
  @inline(__always)
  var winner: Int { Int(nodes[0]) }

  /// The winner has another next entry.
  @inline(__always)
  func replay<Runs: MergeRuns>(_ runs: Runs) {
    var winner = nodes[0]
    var node = (Int(winner) + count) / 2
    while node > 0 {
      let loser = nodes[node]
      if runs.isBefore(Int(loser), Int(winner)) {
        nodes[node] = winner
        winner = loser
      }
      node /= 2
    }
    nodes[0] = winner
  }
}
