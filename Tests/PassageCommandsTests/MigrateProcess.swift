import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// The built `migrate` executable, run as a user runs it.
enum MigrateProcess {
  typealias Outcome = ChildProgram.Outcome

  /// Where the build put it, beside the test bundle, or what ``BuiltProgram/migrate`` was told.
  static var executable: URL {
    get throws {
      URL(
        fileURLWithPath: try #require(
          BuiltProgram.migrate, "the executable is not beside the test bundle; run swift build"))
    }
  }

  /// Runs it from a shell, which says first what it may do: `"$@"` is the call.
  static func run(_ arguments: [String], in folder: String, after script: String) throws -> Outcome
  {
    try ChildProgram.run(
      "/bin/sh", ["-c", script, "sh", executable.path] + arguments, in: folder)
  }

  /// Starts it in a folder, where a signal ends a program although the tests run under `nohup`.
  static func start(
    _ arguments: [String], in folder: String, notIgnoring signal: Int32
  ) throws -> ChildProgram {
    try ChildProgram(
      "/usr/bin/env", ["--default-signal=\(signal)", executable.path] + arguments, in: folder)
  }

  /// Starts it in a folder.
  static func start(_ arguments: [String], in folder: String) throws -> ChildProgram {
    try ChildProgram(executable.path, arguments, in: folder)
  }

  static func run(_ arguments: [String], in folder: String) throws -> Outcome {
    try start(arguments, in: folder).outcome()
  }
}

extension ChildProgram.Outcome {
  /// Standard output as one JSON object.
  var json: JSONNode {
    get throws { try JSONParser.parse(Array(output.utf8), file: "standard output") }
  }
}
