import Foundation
import Passage
import Testing

/// The built `migrate` executable, run as a user runs it.
struct MigrateProcess {
  /// What a process left behind.
  struct Outcome {
    var status: Int32
    var output: String
    var errors: String

    /// Standard output as one JSON object.
    var json: JSONNode {
      get throws { try JSONParser.parse(Array(output.utf8), file: "standard output") }
    }
  }

  /// Where the build put it: beside the test bundle.
  static var executable: URL {
    get throws {
      let bundle = Bundle.main.executableURL ?? Bundle.main.bundleURL
      let candidates = [bundle] + Bundle.allBundles.map(\.bundleURL)
      return try #require(
        candidates.lazy
          .map { $0.deletingLastPathComponent().appending(path: "migrate") }
          .first { FileManager.default.isExecutableFile(atPath: $0.path) },
        "the executable is not beside the test bundle; run swift build")
    }
  }

  /// Runs it from a shell, which says first what it may do: `"$@"` is the call.
  static func run(_ arguments: [String], in folder: String, after script: String) throws -> Outcome
  {
    let files = try TemporaryFolder()
    let process = try start(
      ["-c", script, "sh", executable.path] + arguments, in: folder, files: files,
      program: URL(fileURLWithPath: "/bin/sh"))
    return try outcome(of: process, files: files)
  }

  /// Starts it in a folder; what it prints goes to files, so that no pipe can fill.
  static func start(
    _ arguments: [String], in folder: String, files: TemporaryFolder, program: URL? = nil
  ) throws -> Process {
    let process = Process()
    process.executableURL = try program ?? executable
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardInput = FileHandle.nullDevice
    for name in ["output", "errors"] { try files.write("", to: name) }
    process.standardOutput = try FileHandle(
      forWritingTo: URL(fileURLWithPath: files.file("output")))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: files.file("errors")))
    try process.run()
    return process
  }

  /// What a process that has ended printed.
  static func outcome(of process: Process, files: TemporaryFolder) throws -> Outcome {
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      output: String(decoding: try bytes(of: files.file("output")), as: UTF8.self),
      errors: String(decoding: try bytes(of: files.file("errors")), as: UTF8.self))
  }

  static func run(_ arguments: [String], in folder: String) throws -> Outcome {
    let files = try TemporaryFolder()
    return try outcome(of: start(arguments, in: folder, files: files), files: files)
  }
}

extension JSONNode {
  /// A member of an object; `nil` for anything else.
  subscript(name: String) -> JSONNode? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// An element of a list.
  subscript(index: Int) -> JSONNode? {
    elements.indices.contains(index) ? elements[index] : nil
  }

  var elements: [JSONNode] { if case .array(let elements) = kind { elements } else { [] } }
  var text: String? { if case .string(let text) = kind { text } else { nil } }
  var number: Int? { if case .number(let text) = kind { Int(text) } else { nil } }
  var truth: Bool? { if case .bool(let truth) = kind { truth } else { nil } }
  var memberNames: [String] {
    if case .object(let members) = kind { members.map(\.name) } else { [] }
  }
}
