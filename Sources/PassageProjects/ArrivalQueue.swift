/// The versions that a search for a path has reached, the cheapest first: a binary heap.
struct ArrivalQueue {
  /// The cost of reaching a version: first the number of inferred steps, then of all steps.
  struct Cost: Comparable {
    var inferred: Int
    var steps: Int

    static func < (a: Self, b: Self) -> Bool {
      (a.inferred, a.steps) < (b.inferred, b.steps)
    }
  }

  /// A version that was reached at a cost.
  struct Arrival {
    var cost: Cost
    var version: String

    /// Versions of equal cost are in the order of their names.
    fileprivate func isBefore(_ other: Arrival) -> Bool {
      cost == other.cost ? version < other.version : cost < other.cost
    }
  }

  /// The parent of the arrival at a place `n` is at `(n - 1) / 2`, and is not after it.
  private var heap: [Arrival] = []

  /// Adds an arrival; one at the same version is kept.
  ///
  /// - Complexity: O(log n) for n arrivals.
  mutating func insert(_ arrival: Arrival) {
    var place = heap.count
    heap.append(arrival)
    while place > 0, heap[place].isBefore(heap[(place - 1) / 2]) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Removes the cheapest arrival; `nil` when there is none.
  ///
  /// - Complexity: O(log n) for n arrivals.
  mutating func removeFirst() -> Arrival? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var place = 0
    while true {
      var smallest = place
      for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
        if heap[child].isBefore(heap[smallest]) { smallest = child }
      }
      guard smallest != place else { return first }
      heap.swapAt(place, smallest)
      place = smallest
    }
  }
}
