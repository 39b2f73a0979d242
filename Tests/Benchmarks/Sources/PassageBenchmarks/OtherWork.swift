#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How much of the machine other programs took: what makes figures doubtful.
struct OtherWork {
  private let ticks = Self.busyTicks
  private let ownSeconds = Self.ownSeconds
  private let started = ContinuousClock.now

  /// The processors that others kept busy since this was made, on average; `nil` where the system
  /// does not tell.
  var processors: Double? {
    guard let ticks, let now = Self.busyTicks else { return nil }
    let seconds = started.duration(to: .now) / .seconds(1)
    let busy = (now - ticks) / Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
    return max(0, busy - (Self.ownSeconds - ownSeconds)) / max(0.001, seconds)
  }

  /// Ticks in which a processor worked, for anybody; time that a virtual machine did not get is
  /// counted too.
  private static var busyTicks: Double? {
    guard let line = try? Folder.text("/proc/stat").split(separator: "\n").first else { return nil }
    let counts = line.split(separator: " ").dropFirst().compactMap { Double($0) }
    guard counts.count >= 8 else { return nil }
    // user, nice, system, idle, waiting for a disk, interrupts, soft interrupts, stolen.
    return counts.prefix(8).reduce(0, +) - counts[3] - counts[4]
  }

  /// Seconds of processor time of this process and of every child that has ended.
  private static var ownSeconds: Double {
    Child.processorSeconds(of: Child.ownUsage) + Child.processorSeconds(of: Child.childrensUsage)
  }
}
