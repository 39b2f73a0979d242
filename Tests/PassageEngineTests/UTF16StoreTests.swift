import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// Stores whose texts are in UTF-16, which SQLite reads and writes otherwise than Passage, in UTF-8.
@Suite struct UTF16StoreTests {
  static let encodings = ["UTF-16le", "UTF-16be"]

  /// Writes the whole source again in another encoding.
  private static func recode(_ trial: Trial, _ encoding: String) throws {
    let path = trial.directory.path("recoded")
    try TextRecoding.copy(trial.sourcePath, to: path, encoding: encoding)
    let files = FileSystem()
    for sidecar in StoreUnit(path: trial.sourcePath).sidecarPaths { try files.remove(sidecar) }
    try files.rename(path, to: trial.sourcePath)
  }

  // MARK: Texts that would be changed

  /// A text is copied, filtered by, or only copied beside a computed value: each has its lane.
  private static let mappings = [
    #"{"type": "copy", "source": "Word", "destination": "Word"}"#,
    #"{"type": "copy", "source": "Word", "destination": "Word", "filter": "number > 0"}"#,
    #"""
    {"type": "copy", "source": "Word", "destination": "Word",
     "attributes": {"text": "$source.text", "number": "$source.number + 1"}}
    """#,
  ]

  /// Two words, of which the second has this text.
  private static func trial(
    _ mappingText: String, _ encoding: String, _ units: [UInt16]
  ) throws -> Trial {
    let attributes: [Attribute] = [.text("text"), .number("number")]
    let trial = try Trial(
      Model("1", [Entity("Word", attributes)]),
      Model("2", [Entity("Word", attributes + [.text("note")])]), [mapping(mappingText)],
      journalMode: .delete
    ) { store in
      for number in 1...2 {
        try store.insert("Word", ["text": "good", "number": .integer(Int64(number))])
      }
    }
    try recode(trial, encoding)
    let digits = units.map { unit in
      let unit = encoding == "UTF-16be" ? unit : unit.byteSwapped
      return String(String(0x1_0000 + Int(unit), radix: 16).dropFirst())
    }
    let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
    try connection.execute(
      "UPDATE ZWORD SET ZTEXT = CAST(x'\(digits.joined())' AS TEXT) WHERE Z_PK = 2")
    return trial
  }

  @Test(
    arguments: mappings,
    [
      [0x61, 0xD800, 0x62], [0xD83D], [0x61, 0, 0xDE00], [0x61, 0xFFFF, 0x62], [0xFFFE, 0x61],
    ] as [[UInt16]])
  func `a text that SQLite would change is refused in every lane`(
    mapping: String, units: [UInt16]
  ) throws {
    for encoding in Self.encodings {
      let trial = try Self.trial(mapping, encoding, units)
      for way in trial.drawnWays {
        let error = try trial.failure(options: way)
        #expect(error.codes == ["ROW-009"])
        #expect(error.kind == .policyFailed)
        #expect(
          error.diagnostics.errors.first?.message
            == "1 text of “Word.text” cannot be copied exactly; the first is that of the object "
            + "with key 2")
      }
      #expect(trial.directory.names == ["old.sqlite"])
    }
  }

  @Test(
    arguments: mappings,
    [
      [0x61, 0xD83D, 0xDE00], [0xFEFF, 0x61], [0xFFFD, 0xFFFC, 0xFDD0], [0x61, 0, 0x62], [],
    ] as [[UInt16]])
  func `every other text arrives in every lane`(mapping: String, units: [UInt16]) throws {
    for encoding in Self.encodings {
      let words = try Self.trial(mapping, encoding, units).migrate().contents["Word"]
      #expect(words.map { $0["text"] } == ["good", .text(String(decoding: units, as: UTF16.self))])
    }
  }
}
