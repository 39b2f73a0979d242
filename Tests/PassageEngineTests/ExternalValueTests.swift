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

  // MARK: Filters and expressions

  private static func albums(_ name: String) -> Model {
    Model(
      name,
      [
        Entity(
          "Album", [.text("title"), plain("key"), .number("count")],
          [.many("photos", "Photo", inverse: "album")]),
        Entity(
          "Photo",
          [
            .text("tag"), file("image"), plain("icon"), .number("size"),
            Attribute(name: "isLarge", type: .boolean),
          ], [.one("album", "Album", inverse: "photos")]),
      ])
  }

  /// Two albums with two photos and one, of which one has no image. No file is needed.
  private static func albums(_ album: String, _ photo: String) throws -> Trial {
    try Trial(
      albums("1"), albums("2"),
      [
        mapping(
          """
          {"type": "copy", "source": "Album", "destination": "Album"\(album)},
          {"type": "copy", "source": "Photo", "destination": "Photo"\(photo)}
          """)
      ]
    ) { store in
      let albums = try ["one", "two"].map { try store.insert("Album", ["title": .text($0)]) }
      for (tag, image, album) in [("a", [1, 9], 0), ("b", nil, 0), ("c", [1, 5], 1)]
        as [(String, [UInt8]?, Int)]
      {
        try store.insert(
          "Photo", ["tag": .text(tag), "image": image.map { .blob($0) } ?? .null],
          ["album": [albums[album]]])
      }
    }
  }

  private static let photosOfKey =
    "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', "
    + "'PhotoToPhoto', SUBQUERY($source.photos, $p, $p.image == $source.key))"

  /// What is added to the mappings of albums and of photos.
  private static let uses: [(String, String)] = [
    ("", #""filter": "image == icon""#),
    ("", #""filter": "tag == 'a' OR image.length > 3""#),
    ("", #""filter": "image IN {icon}""#),
    ("", #""mergeBy": "$source.image""#),
    ("", #""mergeBy": "TERNARY($source.image.length > 9, 1, 2)""#),
    ("", #""attributes": {"isLarge": "TERNARY($source.image.length > 20, YES, NO)"}"#),
    ("", #""attributes": {"size": "$source.image.length"}"#),
    ("", #""attributes": {"icon": {"default": "TERNARY($source.size > 1, $source.image, nil)"}}"#),
    (#""filter": "SUBQUERY(photos, $p, $p.image.length == 8).@count > 0""#, ""),
    (#""filter": "ANY photos.image == key""#, ""),
    (
      #""attributes": {"count": "SUBQUERY($source.photos, $p, $p.image == $source.key).@count"}"#,
      ""
    ),
    (#""attributes": {"key": "lookup('Photo', 'tag', $source.title, 'image')"}"#, ""),
    (#""attributes": {"title": "lookup('Photo', 'image', $source.key, 'tag')"}"#, ""),
    (#""relationships": {"photos": "\#(photosOfKey)"}"#, ""),
  ]

  @Test(arguments: uses)
  func `whatever uses a value that may be in a file is refused`(
    album: String, photo: String
  ) throws {
    let members = [album, photo].map { $0.isEmpty ? "" : ", \($0)" }
    let error = try Self.albums(members[0], members[1]).failure()
    #expect(error.codes == ["STO-318"])
    #expect(error.kind == .wrongFile)
  }

  @Test func `a list of values that may be in files is refused`() throws {
    let parts = """
      },
      {"type": "transform", "source": "Album", "destination": "Photo", "name": "Parts",
       "forEach": "$source.photos.image", "attributes": {"icon": "$element"}
      """
    #expect(try Self.albums("", parts).failure().codes == ["STO-318"])
  }

  @Test func `whether there is such a value, and in how many objects, is no use of it`() throws {
    let trial = try Self.albums(
      """
      , "filter": "ANY photos.image != nil", "attributes": {
       "count": "SUBQUERY($source.photos, $p, $p.image != nil).@count"}
      """,
      """
      , "filter": "image == nil OR tag != 'z'",
       "mergeBy": "TERNARY($source.image == nil, $source.tag, nil)", "attributes": {
       "size": "TERNARY($source.image != nil, 1, 0)",
       "isLarge": "TERNARY($source.image == nil, NO, YES)"}
      """)
    let contents = try trial.migrate().contents
    #expect(contents["Album"].map { $0["count"] } == [1, 1])
    #expect(contents["Photo"].map { $0["size"] } == [1, 0, 1])
    #expect(contents["Photo"].map { $0["isLarge"] } == [1, 0, 1])
    #expect(contents["Photo"].map { $0["image"] } == [.blob([1, 9]), .null, .blob([1, 5])])
  }

  @Test func `a selection refuses what a filter of a mapping model must not use`() throws {
    let trial = try Self.albums("", "")
    func select(_ filter: String) throws -> StoreSelection {
      try StoreSelection(
        of: StoreFile.open(path: trial.sourcePath), model: trial.source, entity: "Photo",
        filter: filter, now: 0)
    }
    #expect(try select("image != nil").count() == 2)
    for filter in ["image.length == 4", "image == icon"] {
      let refusals = try #require(throws: Diagnostics.self) { try select(filter) }
      #expect(refusals.all.map(\.code) == ["STO-318"])
      #expect(refusals.failureKind == .wrongFile)
    }
  }

  @Test func `what would become of an object is not told where a run is refused`() throws {
    let trial = try Self.albums("", #", "filter": "image == icon""#)
    let (steps, _) = try Planner.plan(
      trial.mappings, models: ["1": trial.source, "2": trial.destination], policies: [])
    let refusals = try #require(throws: Diagnostics.self) {
      try WayExplanation(
        steps, store: StoreFile.open(path: trial.sourcePath), policies: PolicyRegistry([]), now: 0)
    }
    #expect(refusals.all.map(\.code) == ["STO-318"])
  }

  // MARK: Missing files

  /// Three models, of which the last alone has its values in the column. The middle one names the
  /// attribute otherwise.
  private static func chain(_ last: String) throws -> Trial {
    let trial = try Trial(
      Model("1", [photo]), Model("3", [Entity("Photo", [plain("picture"), plain("icon")])]),
      between: [Model("2", [Entity("Photo", [file("picture"), plain("icon")])])],
      [
        mapping(
          """
          {"type": "copy", "source": "Photo", "destination": "Photo",
           "attributes": {"picture": "$source.image"}}
          """, named: "One"),
        mapping(
          """
          {"type": "transform", "source": "Photo", "destination": "Photo", "attributes": {\(last)}}
          """, named: "Two", from: "2", to: "3"),
      ]
    ) { store in
      try store.insert("Photo", ["image": ExternalDataTests.reference(names[0])])
      try store.insert("Photo", ["image": .blob([1, 9]), "icon": .blob([7])])
    }
    return trial
  }

  @Test(arguments: [
    #""picture": {}"#, #""icon": {"default": "$source.picture"}"#,
  ])
  func `a missing file that a later step must read is refused before the first`(
    attributes: String
  ) throws {
    let trial = try Self.chain(attributes)
    let migration = trial.migration(to: .file(trial.directory.path("new.sqlite")))
    let error = try #require(throws: MigrationError.self) { try migration.plan() }
    #expect(error.codes == ["STO-311"])
    #expect(error.description.contains("“Photo.image” must be read"))
    #expect(try trial.failure().codes == ["STO-311"])
    #expect(trial.directory.names == ["old.sqlite"])
    var options = MigrationOptions()
    options.companions.missingFiles = .drop
    let report = try trial.run(options: options)
    #expect(report.warnings.all.map(\.code).first == "STO-312")
    let photos = try StoreContents(
      path: trial.directory.path("new.sqlite"), model: trial.destination)
    let isFallback = attributes.contains("default")
    let found = photos["Photo"].map { $0[isFallback ? "icon" : "picture"] }
    #expect(found == [.null, .blob([isFallback ? 7 : 9])])
  }

  @Test func `a missing file that no step reads is only reported`() throws {
    let report = try Self.chain(#""icon": {}"#).run()
    #expect(report.warnings.all.map(\.code).first == "STO-312")
  }
}
