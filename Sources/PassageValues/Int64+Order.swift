extension Int64 {
  /// Negative, zero or positive if the number is smaller than, equal to or larger than another. It is
  /// exact beyond 2^53 too, where not every integer has a floating-point number (`vdbeaux.c`,
  /// `sqlite3IntFloatCompare`).
  ///
  /// - Parameter other: a number.
  /// - Precondition: `other` is not NaN.
  @inlinable
  package func order(to other: Double) -> Int {
    if other < -9_223_372_036_854_775_808 { return 1 }
    if other >= 9_223_372_036_854_775_808 { return -1 }
    let whole = Int64(other)
    if self != whole { return self < whole ? -1 : 1 }
    let fraction = other - Double(whole)
    return fraction > 0 ? -1 : (fraction < 0 ? 1 : 0)
  }
}
