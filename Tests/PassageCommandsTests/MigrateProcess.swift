import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// The built `migrate` executable, run as a user runs it.
enum MigrateProcess {
  typealias Outcome = ChildProgram.Outcome

  /// Where the build put it: beside the test bundle.
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
