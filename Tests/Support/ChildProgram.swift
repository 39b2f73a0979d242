public import Foundation
internal import PassageTesting

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A program that a test runs, to its end or until it is stopped.
///
/// What it prints goes to files, so that no pipe can fill.
public final class ChildProgram {
  /// What a program left behind.
  public struct Outcome: Sendable {
    /// Its exit status, or the signal that ended it.
    public var status: Int32
    /// Whether a signal ended it.
    public var wasKilled: Bool
    /// Whether it came to no end of its own: by a signal, or by an error of the system (exit status 31
    /// or 32).
    public var wasInterrupted: Bool { wasKilled || status == 31 || status == 32 }
    /// Its standard output.
    public var output: String
    /// Its standard error.
    public var errors: String
  }

  /// The running process.
  public let process = Process()
  private let files: TemporaryDirectory

  /// Starts it.
  ///
  /// - Parameters:
  ///   - program: the path of the executable.
  ///   - folder: where it runs; this process's own when it is `nil`.
  ///   - environment: in place of this process's own.
  public init(
    _ program: String, _ arguments: [String], in folder: String? = nil,
    environment: [String: String]? = nil
  ) throws {
    files = try TemporaryDirectory()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    if let environment { process.environment = environment }
    process.standardInput = FileHandle.nullDevice
    for name in ["output", "errors"] { try files.write([], to: name) }
    process.standardOutput = try FileHandle(forWritingTo: files.url("output"))
    process.standardError = try FileHandle(forWritingTo: files.url("errors"))
    try process.run()
  }

  /// Ends it without warning.
  public func killAtOnce() { _ = kill(process.processIdentifier, SIGKILL) }

  /// What it has written to standard error so far.
  public var errorsSoFar: String { text("errors") }

  /// Waits for its end.
  public func outcome() -> Outcome {
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      wasKilled: process.terminationReason == .uncaughtSignal, output: text("output"),
      errors: text("errors"))
  }

  private func text(_ name: String) -> String {
    String(decoding: files.contents(name) ?? [], as: UTF8.self)
  }

  /// Runs it to its end.
  public static func run(
    _ program: String, _ arguments: [String], in folder: String? = nil,
    environment: [String: String]? = nil
  ) throws -> Outcome {
    try ChildProgram(program, arguments, in: folder, environment: environment).outcome()
  }

  /// Runs it until a file that it writes would become longer than `bytes`: there the system interrupts
  /// it, the same place each time; by a signal (SIGXFSZ), or by an error (EFBIG) where a thread writes
  /// that blocks signals, as those of queues do. Without `bytes` it runs to its end.
  public static func run(
    _ program: String, _ arguments: [String], in folder: String, interruptedAtFileBytes bytes: Int?
  ) throws -> Outcome {
    guard let bytes else { return try run(program, arguments, in: folder) }
    // Units of 1024 bytes, which not every shell has.
    let limits = "ulimit -c 0; ulimit -f \(bytes / 1_024); exec \"$@\""
    return try run("/bin/bash", ["-c", limits, "bash", program] + arguments, in: folder)
  }

  /// Runs a line in the shell.
  public static func shell(_ line: String, in folder: String? = nil) throws -> Outcome {
    try run("/bin/sh", ["-c", line], in: folder)
  }
}

/// A program of this package, as it was built beside the tests.
public enum BuiltProgram {
  /// The path of `migrate`; `nil` where it was not built. The variable `PASSAGE_MIGRATE` has the
  /// path from the root of another build, such as an optimised one, which starts much faster.
  public static let migrate: String? =
    ProcessInfo.processInfo.environment["PASSAGE_MIGRATE"] ?? folder.map { "\($0)/migrate" }

  /// The folder of what was built beside the tests; `nil` where `migrate` was not.
  public static let folder: String? = {
    let bundle = Bundle.main.executableURL ?? Bundle.main.bundleURL
    return ([bundle, Bundle.main.bundleURL] + Bundle.allBundles.map(\.bundleURL)).lazy
      .flatMap { [$0, $0.deletingLastPathComponent()] }
      .first {
        let path = $0.appending(path: "migrate").path
        return FileManager.default.isExecutableFile(atPath: path) && !isFolder(path)
      }?.path
  }()

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}
