import Foundation
import TestSupport

/// Which operations of a run a test lets fail, or at which of its questions it stops it, one after the
/// other: some of them, drawn with a seed that is printed, or every one where the variable
/// `PASSAGE_EVERY_FAULT` is set. The campaigns go through every call of the whole program; this is their
/// part in each test run.
struct FaultSlice {
  /// Whether no operation is left out.
  static let isWhole = ProcessInfo.processInfo.environment["PASSAGE_EVERY_FAULT"] != nil

  private var numbers: SeededRandom

  /// - Parameter name: the suite.
  init(_ name: String) {
    numbers = SeededRandom(seed: Self.isWhole ? 0 : RandomSeed.told(for: name))
  }

  /// The operation that fails after this one was let fail; the first for 0.
  ///
  /// - Parameter longest: how many operations further it is at most.
  mutating func next(after stop: Int, longest: Int = 15) -> Int {
    stop + (Self.isWhole ? 1 : Int.random(in: 1...longest, using: &numbers))
  }
}
