internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The most memory this process has had.
///
/// The process tells it itself: what its parent gets from the kernel (`ru_maxrss`) begins with the
/// parent's own memory, because a child shares it until it starts its program.
enum PeakMemory {
  /// One line that the harness reads.
  static var line: String { "peak-bytes \(bytes)" }

  private static var bytes: Int {
    #if os(Linux)
      guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
        return 0
      }
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap {
        Int($0).map { $0 * 1024 }
      } ?? 0
    #else
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return Int(usage.ru_maxrss)
    #endif
  }
}
