#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Tells work that ends from work that hangs, for what cannot be counted.
///
/// It is no measure of speed: the bound is many times what work in proportion to its input takes, and far
/// below what work in proportion to the square of a large input takes. Time is that of the processor for this
/// thread, so that other work on the machine does not count.
public enum HangGuard {
  /// Seconds of processor time within which any test input must have been handled.
  public static let bound = 20.0

  /// Seconds of processor time that some work takes.
  public static func seconds(of work: () throws -> Void) rethrows -> Double {
    let start = now
    try work()
    return now - start
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
