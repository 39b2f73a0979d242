import Foundation
import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// The form of values where external storage is allowed: whatever makes them, and in every lane.
@Suite struct ExternalValueTests {
  private static let names = ExternalDataTests.names

  private static func file(_ name: String) -> Attribute {
    Attribute(name: name, type: .binary, allowsExternalBinaryDataStorage: true)
  }

  private static func plain(_ name: String) -> Attribute { Attribute(name: name, type: .binary) }

  private static let photo = Entity("Photo", [.text("tag"), file("image"), plain("icon")])

  /// Photo 1 is in a file, 2, 4 and 5 are in the column, 3 has none. Of two tags there are two.
  private static func fill(_ store: TestStore) throws {
    for (tag, image, icon) in [
      ("a", ExternalDataTests.reference(names[0]), .blob([7])), ("a", .blob([1, 9]), .null),
      ("b", .null, .blob([8])), ("b", .blob([1, 5]), .blob([6])), ("c", .blob([1, 4]), .blob([3])),
    ] as [(Value, Value, Value)] {
      try store.insert("Photo", ["tag": tag, "image": image, "icon": icon])
    }
  }

  /// Makes the file of the photo that is in one.
  private static func addFile(to trial: Trial) throws {
    try FileManager.default.createDirectory(
      atPath: trial.directory.path(".old_SUPPORT/_EXTERNAL_DATA"),
      withIntermediateDirectories: true)
    try trial.directory.write(
      ExternalDataTests.contents(0), to: ".old_SUPPORT/_EXTERNAL_DATA/\(names[0])")
  }

  // MARK: Objects that become one

  private static func merging() throws -> Trial {
    let destination = Model(
      "2",
      [Entity("Photo", [.text("tag"), file("image"), file("large"), plain("icon"), plain("last")])])
    return try Trial(
      Model("1", [photo]), destination,
      [
        mapping(
          """
          {"type": "transform", "source": "Photo", "destination": "Photo",
           "mergeBy": "$source.tag", "attributes": {
            "tag": {}, "image": {"combine": "last"},
            "large": {"value": "$source.icon", "combine": "first"},
            "icon": {"value": "$source.image", "combine": "first"},
            "last": {"value": "$source.image", "combine": "last"}}}
          """)
      ], fill: fill)
  }

  @Test func `a combined value has the form of its attribute`() throws {
    let trial = try Self.merging()
    try Self.addFile(to: trial)
    let photos = try trial.migrate().contents["Photo"]
    #expect(photos.map { $0["image"] } == [.blob([1, 9]), .blob([1, 5]), .blob([1, 4])])
    #expect(photos.map { $0["large"] } == [.blob([1, 7]), .blob([1, 8]), .blob([1, 3])])
    #expect(
      photos.map { $0["icon"] }
        == [.blob(ExternalDataTests.contents(0)), .blob([5]), .blob([4])])
    #expect(photos.map { $0["last"] } == [.blob([9]), .blob([5]), .blob([4])])
  }

  @Test func `a combined value in a missing file is refused, or another object's is taken`() throws
  {
    let trial = try Self.merging()
    let error = try trial.failure()
    #expect(error.codes == ["STO-311"])
    #expect(error.description.contains("“Photo.image” must be read"))
    for lane in [MigrationOptions.Lane.automatic, .row] {
      var options = MigrationOptions()
      options.companions.missingFiles = .drop
      options.lane = lane
      let name = "new-\(lane).sqlite"
      #expect(try trial.run(to: name, options: options).warnings.all.map(\.code) == ["STO-312"])
      let found = try StoreContents(path: trial.directory.path(name), model: trial.destination)
      #expect(found["Photo"].map { $0["icon"] } == [.blob([9]), .blob([5]), .blob([4])])
    }
  }

  @Test func `a combined value of elements has the form of its attribute`() throws {
    let source = Model(
      "1",
      [
        Entity("Album", [.text("title")], [.many("photos", "Photo", inverse: "album")]),
        Entity(
          "Photo", [Self.file("image"), Self.plain("icon")],
          [.one("album", "Album", inverse: "photos")]),
      ])
    let sheet = Entity("Sheet", [.text("title"), Self.plain("icon"), Self.file("large")])
    let trial = try Trial(
      source, Model("2", [sheet]),
      [
        mapping(
          """
          {"type": "transform", "source": "Album", "destination": "Sheet",
           "forEach": "$source.photos", "mergeBy": "$source.title", "attributes": {
            "title": "$source.title",
            "icon": {"value": "$element.image", "combine": "first"},
            "large": {"value": "$element.icon", "combine": "first"}}},
          {"type": "remove", "source": "Photo"}
          """)
      ]
    ) { store in
      let album = try store.insert("Album", ["title": "all"])
      for (image, icon) in [
        (ExternalDataTests.reference(Self.names[0]), .blob([7])), (.blob([1, 9]), .blob([8])),
      ] as [(Value, Value)] {
        try store.insert("Photo", ["image": image, "icon": icon], ["album": [album]])
      }
    }
    try Self.addFile(to: trial)
    let sheets = try trial.migrate().contents["Sheet"]
    #expect(sheets.map { $0["icon"] } == [.blob(ExternalDataTests.contents(0))])
    #expect(sheets.map { $0["large"] } == [.blob([1, 7])])
  }

  // MARK: Objects of a list

  @Test func `an added value gets its marker, whatever its bytes are`() throws {
    let trial = try Trial(
      Model("1", [Entity("Other", [.text("name")])]),
      Model("2", [Self.photo, Entity("Other", [.text("name")])]),
      [
        mapping(
          """
          {"type": "copy", "source": "Other", "destination": "Other"},
          {"type": "add", "destination": "Photo", "objects": [
            {"tag": "png", "image": {"data": "iVBORw=="}},
            {"tag": "one", "image": {"data": "AQID"}, "icon": {"data": "AQID"}},
            {"tag": "two", "image": {"data": "AkFC"}}, {"tag": "none"}]}
          """)
      ]
    )
    let (contents, report) = try trial.migrate()
    let photos = contents["Photo"]
    #expect(
      photos.map { $0["image"] }
        == [
          .blob([1, 0x89, 0x50, 0x4E, 0x47]), .blob([1, 1, 2, 3]), .blob([1, 2, 0x41, 0x42]), .null,
        ])
    #expect(photos.map { $0["icon"] } == [.null, .blob([1, 2, 3]), .null, .null])
    #expect(report.warnings.all == [])
  }

  @Test func `a value without a marker that is copied twice is not put down to a policy`() throws {
    let trial = try Trial(
      Model("1", [Self.photo]), Model("2", [Self.photo, Entity("Copy", [Self.file("image")])]),
      [
        mapping(
          """
          {"type": "copy", "source": "Photo", "destination": "Photo"},
          {"type": "copy", "source": "Photo", "destination": "Copy"}
          """)
      ]
    ) { try $0.insert("Photo", ["image": .blob([9])]) }
    let warnings = try trial.run().warnings.all
    #expect(warnings.map(\.code) == ["STO-319", "STO-319"])
    #expect(warnings.last?.remedy?.hasPrefix("no action is needed") == true)
  }
}
