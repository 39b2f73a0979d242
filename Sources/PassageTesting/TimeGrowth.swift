#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// How the time of a piece of work grows with the size of what it is given: measured at n, 2n and 4n.
///
/// Time is that of the processor for this thread, so that other work on the machine counts little, and
/// of several tries the shortest. Sizes grow until the work takes long enough for a measure.
///
/// ```swift
/// let growth = try TimeGrowth(from: 500) { n in _ = try ModelDocument.decode(model(n), file: "") }
/// #expect(growth.ratio < 2.6, "\(growth)")
/// ```
public struct TimeGrowth: Sendable, CustomStringConvertible {
  /// The size n.
  public let size: Int
  /// Seconds at n, 2n and 4n.
  public let seconds: [Double]

  /// How much longer the work takes for each doubling, from n to 4n. Work in proportion to the size
  /// gives 2, work in proportion to its square 4.
  public var ratio: Double { (seconds[2] / max(seconds[0], 1e-9)).squareRoot() }

  /// Measures.
  ///
  /// - Parameters:
  ///   - size: the first n. It is doubled until the work takes 20 ms, at most `doublings` times.
  ///   - limit: nothing is tried again after so many seconds, so that a test of work that grows too
  ///     fast ends.
  ///   - work: makes what it needs of size n and does the work. It is called several times.
  /// - Throws: what the work throws.
  public init(
    from size: Int, doublings: Int = 6, limit: Double = 4, _ work: (Int) throws -> Void
  ) throws {
    func once(_ size: Int) throws -> Double {
      let start = Self.now
      try work(size)
      return Self.now - start
    }
    var size = size
    // The first call also loads and warms what later ones find.
    _ = try once(size)
    var first = try once(size)
    for _ in 0..<doublings where first < 0.02 {
      size *= 2
      first = try once(size)
    }
    var seconds: [Double] = []
    for factor in [1, 2, 4] {
      var best = try once(size * factor)
      for _ in 0..<3 where best < limit { best = min(best, try once(size * factor)) }
      seconds.append(best)
    }
    self.size = size
    self.seconds = seconds
  }

  /// The size, the three times in milliseconds, and the ratio.
  public var description: String {
    let times = seconds.map { "\(($0 * 10_000).rounded() / 10) ms" }.joined(separator: ", ")
    return "n = \(size): \(times); \((ratio * 100).rounded() / 100) for each doubling"
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
