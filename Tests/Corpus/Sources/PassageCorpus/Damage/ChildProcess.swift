internal import Foundation

/// A process that was run to its end, or to the end of its time.
struct ChildProcess {
  /// The exit status, or the signal's number.
  let status: Int32
  let isSignal: Bool
  /// Whether its time ran out.
  let isStopped: Bool
  /// The first line of standard error that names an error; the last line where none does.
  let firstError: String

  /// Runs a program found by path or in `PATH`.
  ///
  /// - Throws: what the system answers when the program cannot be started.
  static func run(
    _ program: String, _ arguments: [String], seconds: Double
  ) throws -> ChildProcess {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    var environment = ProcessInfo.processInfo.environment
    // The crash handler of Swift would keep a crash busy for seconds.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    process.environment = environment
    let errors = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    // A program in an endless loop may not heed a request to end.
    let watch = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
    let deadline = DispatchTime.now() + seconds
    DispatchQueue.global().asyncAfter(deadline: deadline, execute: watch)
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    watch.cancel()
    let lines = text.split(separator: "\n").map(String.init)
    return ChildProcess(
      status: process.terminationStatus, isSignal: process.terminationReason == .uncaughtSignal,
      isStopped: DispatchTime.now() > deadline,
      firstError: lines.first { $0.hasPrefix("error") } ?? lines.last ?? "nothing on standard error"
    )
  }
}
