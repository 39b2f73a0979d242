#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// How the time of a piece of work grows with the size of what it is given: measured at n, 2n and 4n.
///
/// Time is that of the processor for this thread, so that other work on the machine counts little. Sizes
/// grow until the work takes long enough for a measure. Where the ratio is too high, everything is measured
/// again and the shortest time of each size counts: other work makes times longer, never shorter.
///
/// ```swift
/// let growth = try TimeGrowth(from: 500) { n in _ = try ModelDocument.decode(model(n), file: "") }
/// #expect(growth.ratio < TimeGrowth.bound, "\(growth)")
/// ```
public struct TimeGrowth: Sendable, CustomStringConvertible {
  /// Below it, time counts as growing in proportion to the size: sorting and trees are, and a cache that
  /// becomes too small on the way.
  public static let bound = 2.6

  /// The size n.
  public let size: Int
  /// Seconds at n, 2n and 4n.
  public let seconds: [Double]

  /// How much longer the work takes for each doubling, from n to 4n. Work in proportion to the size
  /// gives 2, work in proportion to its square 4.
  public var ratio: Double { Self.ratio(seconds) }

  private static func ratio(_ seconds: [Double]) -> Double {
    (seconds[2] / max(seconds[0], 1e-9)).squareRoot()
  }

  /// Measures.
  ///
  /// - Parameters:
  ///   - size: the first n. It is doubled until the work takes 10 ms, at most `doublings` times.
  ///   - tries: how often everything is measured where the ratio is not below ``bound``.
  ///   - doublings: how often the size is doubled.
  ///   - limit: nothing is measured again after so many seconds, so that a test of work that grows too
  ///     fast ends.
  ///   - work: makes what it needs of size n and does the work. It is called several times.
  /// - Throws: what the work throws.
  public init(
    from size: Int, doublings: Int = 7, tries: Int = 5, limit: Double = 4,
    _ work: (Int) throws -> Void
  ) throws {
    func once(_ size: Int) throws -> Double {
      let start = Self.now
      try work(size)
      return Self.now - start
    }
    var size = size
    // The first call also loads and warms what later ones find.
    var first = try once(size)
    if first < 0.1 { first = try once(size) }
    for _ in 0..<doublings where first < 0.01 {
      size *= 2
      first = try once(size)
    }
    var seconds = try [1, 2, 4].map { try once(size * $0) }
    seconds[0] = min(seconds[0], first)
    var total = seconds.reduce(0, +)
    for _ in 1..<tries where Self.ratio(seconds) >= Self.bound && total < limit {
      for (place, factor) in [1, 2, 4].enumerated() {
        let again = try once(size * factor)
        seconds[place] = min(seconds[place], again)
        total += again
      }
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
