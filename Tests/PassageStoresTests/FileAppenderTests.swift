import Foundation
import PassageFiles
import PassageTesting
import TestSupport
import Testing

/// A file to which lines are appended, also while other processes do.
struct FileAppenderTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test func `a new file can be read by its owner only`() throws {
    let file = try FileAppender(folder.path("log"))
    try file.append(Array("a\n".utf8))
    try file.append([])
    try file.append(Array("b\n".utf8))
    #expect(folder.contents("log") == Array("a\nb\n".utf8))
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path("log"))[
      .posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func `what a file has, and what others append, stays`() throws {
    try folder.write("before\n", to: "log")
    let (one, other) = (
      try FileAppender(folder.path("log")), try FileAppender(folder.path("log"))
    )
    for number in 0..<100 {
      try (number.isMultiple(of: 2) ? one : other).append(Array("\(number)\n".utf8))
    }
    let lines = try #require(folder.contents("log")).split(separator: UInt8(ascii: "\n"))
    #expect(
      lines.map { String(decoding: $0, as: UTF8.self) } == ["before"] + (0..<100).map { "\($0)" })
  }

  @Test(arguments: [".", "none/log", "pipe"])
  func `what is not an ordinary file is refused at once`(name: String) throws {
    // Nobody reads the pipe, so opening it for writing would wait.
    let made = try ChildProgram.run("/bin/sh", ["-c", "mkfifo pipe"], in: folder.path)
    try #require(made.status == 0)
    #expect(throws: FileSystem.Failure.self) { try FileAppender(folder.path(name)) }
  }

  @Test func `bytes that the system does not take are an error`() throws {
    let file = try FileAppender("/dev/full")
    #expect(throws: FileSystem.Failure.self) { try file.append([1]) }
  }
}
