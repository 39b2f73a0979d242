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

  // MARK: Order

  /// Sorted by their bytes in UTF-8. Each encoding in UTF-16 sorts other bytes, and otherwise.
  private static let sorted = ["a", "z", "\u{100}", "\u{E000}", "\u{1D518}"]

  private static func model(_ name: String, list: [Attribute], others: [Entity]) -> Model {
    Model(
      name,
      [
        Entity(
          "List", [.text("name")] + list,
          [
            .many("words", "Word", inverse: "list", isOrdered: true),
            .many("back", "Word", inverse: "backList", isOrdered: true),
          ]),
        Entity(
          "Word", [.text("text")],
          [.one("list", "List", inverse: "words"), .one("backList", "List", inverse: "back")]),
      ] + others)
  }

  @Test(arguments: ["UTF-8"] + encodings)
  func `texts are ordered by their bytes in UTF-8`(encoding: String) throws {
    let trial = try Trial(
      Self.model("1", list: [], others: []),
      Self.model(
        "2", list: [.text("least")], others: [Entity("Ends", [.text("low"), .text("high")])]),
      [
        mapping(
          """
          {"type": "copy", "source": "List", "destination": "List",
           "attributes": {"least": "$source.words.@min.text"},
           "relationships": {
             "words": {"sortedBy": "$element.text"},
             "back": {"sortedBy": {"value": "$element.text", "ascending": false}}}},
          {"type": "copy", "source": "Word", "destination": "Word",
           "relationships": {"list": null, "backList": null}},
          {"type": "transform", "source": "Word", "destination": "Ends",
           "mergeBy": "$source.list.name", "attributes": {
             "low": {"value": "$source.text", "combine": "min"},
             "high": {"value": "$source.text", "combine": "max"}}}
          """)
      ], journalMode: .delete
    ) { store in
      let list = try store.insert("List", ["name": "all"])
      let words = try [1, 3, 0, 4, 2].map {
        try store.insert("Word", ["text": .text(Self.sorted[$0])])
      }
      try store.relate(list, "words", to: words)
      try store.relate(list, "back", to: words)
    }
    try Self.recode(trial, encoding)
    let contents = try trial.migrate().contents
    let list = try #require(contents["List"].first)
    // The keys of the words, which stay, in the order of their texts.
    #expect(list.keys("words") == [3, 1, 5, 2, 4])
    #expect(list.keys("back") == [4, 2, 5, 1, 3])
    #expect(list["least"] == "a")
    #expect(contents["Ends"].map { $0["low"] } == ["a"])
    #expect(contents["Ends"].map { $0["high"] } == [.text("\u{1D518}")])
  }
}
