import Passage
import PassageTesting
import Testing

/// What an app put into its store's metadata, after a migration.
@Suite struct MetadataTests {
  /// Every kind of value a property list has, at its bounds, nested.
  static let values: [PropertyList.Member] = [
    PropertyList.Member("text", .string("Grüße 🚀 \u{0}")),
    PropertyList.Member("empty", .string("")),
    PropertyList.Member("least", .integer(.min)), PropertyList.Member("most", .integer(.max)),
    PropertyList.Member("negative", .integer(-1)),
    PropertyList.Member("large", .unsignedInteger(.max)),
    PropertyList.Member("real", .real(-0.0)), PropertyList.Member("infinite", .real(.infinity)),
    PropertyList.Member("yes", .bool(true)), PropertyList.Member("no", .bool(false)),
    PropertyList.Member("long ago", .date(-63_114_076_800)),
    PropertyList.Member("fraction", .date(0.1)), PropertyList.Member("nothing", .data([])),
    PropertyList.Member("bytes", .data([UInt8](0...255))),
    PropertyList.Member("reference", .uid(65_536)), PropertyList.Member("none", .array([])),
    PropertyList.Member("no members", .dictionary([])),
    PropertyList.Member(
      "nested",
      .dictionary([
        PropertyList.Member(
          "list",
          .array([
            .dictionary([PropertyList.Member("when", .date(1.5))]), .array([.array([.bool(true)])]),
            .data([0]), .unsignedInteger(1 << 63),
          ])),
        PropertyList.Member("", .string("a key may be empty")),
        PropertyList.Member("NSStoreType", .string("inside, this is the app's")),
      ])),
    PropertyList.Member("NSStoreModelVersionHashesOfMine", .integer(1)),
  ]

  @Test func `an app's metadata of every kind survives, and Core Data's own are renewed`() throws {
    let source = Model("1", [Entity("Note", [.text("text")])])
    let destination = Model("2", [Entity("Note", [.text("text"), .text("more")])])
    let copy = try mapping(#"{"type": "copy", "source": "Note", "destination": "Note"}"#)
    let history = PropertyList.Member(
      "_NSStoreAncillaryModelVersionHashesMetadataKey",
      .dictionary([
        PropertyList.Member(
          "NSPersistentHistoryTrackingKey",
          .dictionary([PropertyList.Member("TRANSACTION", .data([1]))]))
      ]))
    let trial = try Trial(source, destination, [copy]) { store in
      try store.insert("Note", ["text": .text("a")])
      let metadata = StoreMetadata(
        storeUUID: "U",
        members: StoreMetadata(
          storeUUID: "U", hashes: ModelHashes(model: source), versionIdentifiers: ["1"]
        ).members + [history] + Self.values)
      let hex = metadata.propertyListBytes.map {
        String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
      }.joined()
      try store.execute("UPDATE Z_METADATA SET Z_UUID = 'U', Z_PLIST = x'\(hex)'")
    }
    try trial.run()
    let after = try StoreMetadata.read(path: trial.directory.path("new.sqlite"))
    #expect(after.storeUUID == "U")
    #expect(after.appMembers == Self.values)
    #expect(after.versionHashes == destination.versionHashes)
    #expect(after.modelVersionIdentifiers == ["2"])
    // It describes tables of history that the new store does not have.
    #expect(after["_NSStoreAncillaryModelVersionHashesMetadataKey"] == nil)
  }
}
