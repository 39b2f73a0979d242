import Foundation
import PassageModels
import Testing

/// Texts in JSON are read back as they were by another reader.
struct JSONTextTests {
  private static let texts =
    ["", "plain", "Å 語 🦉", "a\u{7F}b", "/", "e\u{301}"]
    + ["\"", "\\", "say \"no\"", "C:\\new", "ends with \\"]
    + (0..<0x20).map { "before\(Character(Unicode.Scalar(UInt8($0))))after" }

  @Test(arguments: texts) func `a text is read back as it was`(text: String) throws {
    let json = JSONText.shortObject([
      (text, .string(text)), (text + "2", .shortList([.string(text)])),
    ])
    .rendered()
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(Set(object.keys) == [text, text + "2"])
    #expect(object[text] as? String == text)
    #expect(object[text + "2"] as? [String] == [text])
    // One line, whatever the text has.
    #expect(!json.utf8.contains { $0 < 0x20 })
  }

  @Test func `texts of which nothing is escaped stay as they are`() {
    #expect(JSONText.string("Å /\u{7F}").rendered() == "\"Å /\u{7F}\"")
    #expect(JSONText.string("a\"b\\c\n\u{1}").rendered() == #""a\"b\\c\n\u0001""#)
  }
}
