/// Looks for what was meant by the wrong names of a file, as long as that takes a bounded time: a hostile
/// file has thousands of wrong names beside thousands of right ones. Whoever has made many mistakes
/// corrects the first ones first.
package struct SimilarNames: Sendable {
  /// The number of names that are compared for one file.
  package static let maximumComparisons = 20_000

  private var comparisons = 0

  package init() {}

  /// Counts names that would be compared with a wrong one.
  ///
  /// - Returns: whether they may be.
  package mutating func allow(_ count: Int) -> Bool {
    guard comparisons <= Self.maximumComparisons else { return false }
    comparisons += min(count, Self.maximumComparisons + 1)
    return comparisons <= Self.maximumComparisons
  }

  /// "did you mean …", if a candidate is close, and before the limit.
  ///
  /// - Parameter candidates: returns the candidates; not called after the limit.
  package mutating func suggestion<Candidates: Collection<String>>(
    for name: String, in candidates: () -> Candidates
  ) -> String? {
    guard comparisons <= Self.maximumComparisons else { return nil }
    let candidates = candidates()
    guard allow(candidates.count) else { return nil }
    return nearest(to: name, in: candidates).map { "did you mean “\($0)”?" }
  }
}
