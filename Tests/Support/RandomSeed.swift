import Foundation

/// The seed of a random test, which is always told: whatever the test finds can be had again.
public enum RandomSeed {
  /// What `PASSAGE_SEED` says, and a new one without it. It is printed, with what to type to have it
  /// again.
  ///
  /// - Parameters:
  ///   - test: the name of the suite, as `--filter` takes it.
  ///   - range: what a new seed is taken from.
  public static func told(
    for test: String, in range: ClosedRange<UInt64> = .min ... .max
  ) -> UInt64 {
    let given = ProcessInfo.processInfo.environment["PASSAGE_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: range)
    print("\(test): PASSAGE_SEED=\(seed) swift test --filter \(test)")
    return seed
  }
}
