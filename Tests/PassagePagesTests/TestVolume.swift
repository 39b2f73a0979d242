import Foundation

/// How much a random test does.
enum TestVolume {
  /// What `PASSAGE_ROUNDS` says, and a number that keeps the suite quick without it.
  static func rounds(_ usual: Int) -> Int {
    ProcessInfo.processInfo.environment["PASSAGE_ROUNDS"].flatMap { Int($0) } ?? usual
  }

  /// What `PASSAGE_ROWS` says, and a number that keeps the suite quick without it.
  static func rows(_ usual: Int) -> Int {
    ProcessInfo.processInfo.environment["PASSAGE_ROWS"].flatMap { Int($0) } ?? usual
  }
}
