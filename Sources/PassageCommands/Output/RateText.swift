internal import PassageDiagnostics
internal import PassageEngine

/// How fast something went, behind its time.
enum RateText {
  /// `, 79,851 objects/s`, and whether the program could have been faster.
  static func text(_ perSecond: Double, of things: String) -> String {
    ", \(NumberText.count(Int64(min(perSecond, 1e15)))) \(things)/s"
      + (PassageVersion.isOptimised ? "" : " (built without optimisation)")
  }
}
