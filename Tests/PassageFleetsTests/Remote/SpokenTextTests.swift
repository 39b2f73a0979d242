import Foundation
import PassageFiles
import PassageTesting
import TestSupport
import Testing

@testable import PassageFleets

/// The danger that a command's last words are lost when the room of what it said before is given back.
@Suite struct SpokenTextTests {
  let directory: TemporaryDirectory
  var text: SpokenText

  init() throws {
    directory = try TemporaryDirectory()
    text = SpokenText(directory.path("errors"))
  }

  /// Says so many bytes and words after what was said.
  private func say(_ bytes: Int, _ words: String) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: text.path))
    defer { try? file.close() }
    try file.seekToEnd()
    try file.write(contentsOf: Data(repeating: UInt8(ascii: "x"), count: bytes) + Data(words.utf8))
  }

  /// Whether room in the middle of a file can be given back here.
  private static let canGiveBack: Bool = {
    guard let directory = try? TemporaryDirectory(),
      (try? directory.write([1, 2, 3], to: "file")) != nil,
      let file = try? PositionalFile(directory.path("file"), mode: .updating)
    else { return false }
    return file.giveBack(0..<2)
  }()

  /// The bytes that the file takes on the disk.
  private var room: Int64 {
    get throws {
      var status = stat()
      try #require(stat(text.path, &status) == 0)
      return Int64(status.st_blocks) * 512
    }
  }

  @Test(.enabled(if: canGiveBack, "room in the middle of a file cannot be given back here"))
  mutating func `a file keeps its size, so that nothing is lost, and takes little room`() throws {
    try directory.write([], to: "errors")
    for round in 1...8 {
      try say(3 << 20, "\nthe  end of \(round)\n")
      try text.shorten(FileSystem())
      #expect(text.end.hasSuffix("x the end of \(round)"))
      #expect(text.end.utf8.count <= SpokenText.maximumKeptBytes)
    }
    try say(0, "and all\n")
    #expect(text.end.hasSuffix("x the end of 8 and all"))
    let said = 8 * (3 << 20) + 8 * "\nthe  end of 1\n".utf8.count + "and all\n".utf8.count
    #expect(directory.contents("errors")?.count == said)
    #expect(try room < 2 << 20)
  }

  @Test mutating func `what was said last outlives the emptying of the file`() throws {
    try directory.write([], to: "errors")
    try say(3 << 20, "\nthe  end\n")
    let file = try PositionalFile(text.path, mode: .updating)
    try text.empty(file, file.byteCount)
    #expect(directory.contents("errors") == [])
    #expect(text.end.hasSuffix("x the end") && text.end.utf8.count <= SpokenText.maximumKeptBytes)
    try say(0, "of all\n")
    #expect(text.end.hasSuffix("x the end of all"))
    try say(3 << 20, " other words")
    try text.empty(file, file.byteCount)
    #expect(text.end.hasSuffix("x other words") && !text.end.contains("the end"))
  }

  @Test mutating func `a file that the command empties itself is read on`() throws {
    try directory.write([], to: "errors")
    try say(3 << 20, "\nbefore\n")
    try text.shorten(FileSystem())
    try directory.write([], to: "errors")
    try say(0, "after\n")
    try text.shorten(FileSystem())
    #expect(text.end == "after")
    try say(9 << 20, "\nthe end\n")
    try text.shorten(FileSystem())
    #expect(text.end.hasSuffix("x the end"))
  }

  @Test mutating func `a small file stays, and a missing one says nothing`() throws {
    #expect(text.end == "")
    try directory.write([], to: "errors")
    try say(5, " small")
    try text.shorten(FileSystem())
    #expect(directory.contents("errors") == Array("xxxxx small".utf8))
    #expect(text.end == "xxxxx small")
  }
}
