import PassageFiles
import PassageTesting
import TestSupport
import Testing

@testable import PassageFleets

/// The danger that a file is emptied after a command said its last words.
@Suite struct SpokenTextTests {
  let directory: TemporaryDirectory
  var text: SpokenText

  init() throws {
    directory = try TemporaryDirectory()
    text = SpokenText(directory.path("errors"))
  }

  private func write(_ bytes: Int, _ words: String) throws {
    try directory.write(
      Array(repeating: UInt8(ascii: "x"), count: bytes) + Array(words.utf8), to: "errors")
  }

  @Test mutating func `what was said last outlives the emptying of the file`() throws {
    try write(3 << 20, "\nthe  end\n")
    try text.shorten(FileSystem())
    #expect(directory.contents("errors") == [])
    #expect(text.end.hasSuffix("x the end") && text.end.utf8.count <= SpokenText.maximumKeptBytes)
    try directory.write("of all\n", to: "errors")
    #expect(text.end.hasSuffix("x the end of all"))
    try write(3 << 20, " other words")
    try text.shorten(FileSystem())
    #expect(text.end.hasSuffix("x other words") && !text.end.contains("the end"))
  }

  @Test mutating func `a small file stays, and a missing one says nothing`() throws {
    #expect(text.end == "")
    try write(5, " small")
    try text.shorten(FileSystem())
    #expect(directory.contents("errors")?.count == 11)
    #expect(text.end == "xxxxx small")
  }
}
