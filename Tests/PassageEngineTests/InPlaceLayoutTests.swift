import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// Stores as Core Data left them after migrating them in place, or as old systems wrote them: the same
/// objects in tables that look otherwise. Each is migrated through both lanes and compared, object by
/// object, with the same objects in a fresh store.
@Suite struct InPlaceLayoutTests {
  static let source = Model(
    "1",
    [
      Entity(
        "Animal", isAbstract: true, [.text("name")],
        [
          .one("owner", "Person", inverse: "animals"), .many("likes", "Animal", inverse: "liked"),
          .many("liked", "Animal", inverse: "likes", userInfo: ["joinTable": "likes"]),
          .many("friends", "Animal", inverse: "friends"),
        ]
      ),
      Entity("Cat", parent: "Animal", [.text("color"), .number("rank")]),
      Entity("Dog", parent: "Animal", [.number("color")]),
      Entity("Puppy", parent: "Dog", [.number("weeks")]),
      Entity(
        "Person", [.text("name")],
        [
          .many("animals", "Animal", inverse: "owner", isOrdered: true),
          .one("pet", "Animal"), .many("clubs", "Club", inverse: "members", isOrdered: true),
          .many("notes", "Note"),
        ]),
      Entity("Club", [.text("name")], [.many("members", "Person", inverse: "clubs")]),
      Entity("Note", [.text("text")]),
    ])

  static let destination = Model(
    name: "2",
    entities: source.entities.map { entity in
      var entity = entity
      if entity.name == "Note" { entity.attributes.append(.number("stars")) }
      return entity
    })

  static let mappings = ["Cat", "Dog", "Puppy", "Person", "Club", "Note"].map {
    #"{"type": "copy", "source": "\#($0)", "destination": "\#($0)"}"#
  }.joined(separator: ", ")

  static func fill(_ store: TestStore) throws {
    let people = try (1...3).map { try store.insert("Person", ["name": .text("p\($0)")]) }
    let cat = try store.insert("Cat", ["name": "c", "color": "black", "rank": 1])
    let dog = try store.insert("Dog", ["name": "d", "color": 7])
    let puppy = try store.insert("Puppy", ["name": "y", "color": 8, "weeks": 3])
    try store.relate(people[0], "animals", to: [puppy, cat])
    try store.relate(people[1], "animals", to: [dog])
    try store.relate(people[2], "pet", to: [puppy])
    try store.relate(people[0], "pet", to: [cat])
    try store.relate(cat, "likes", to: [dog, puppy])
    try store.relate(dog, "likes", to: [dog])
    try store.relate(cat, "friends", to: [puppy])
    try store.relate(puppy, "friends", to: [cat])
    let clubs = try (1...2).map { try store.insert("Club", ["name": .text("k\($0)")]) }
    try store.relate(people[0], "clubs", to: [clubs[1], clubs[0]])
    try store.relate(people[1], "clubs", to: [clubs[0]])
    let notes = try (1...3).map { try store.insert("Note", ["text": .text("n\($0)")]) }
    try store.relate(people[1], "notes", to: [notes[2], notes[0]])
  }

  /// Migrates a changed store and the unchanged one; the objects must be the same.
  private func check(
    journalMode: StoreBuilder.JournalMode = .wal, isLogKept: Bool = false,
    _ change: (TestStore) throws -> Void
  ) throws {
    let plain = try Trial(
      Self.source, Self.destination, [mapping(Self.mappings)], fill: Self.fill)
    let expected = try plain.migrate().contents
    let changed = try Trial(
      Self.source, Self.destination, [mapping(Self.mappings)], journalMode: journalMode,
      isLogKept: isLogKept
    ) { store in
      try Self.fill(store)
      try change(store)
    }
    let found = try changed.migrate().contents
    #expect(found.differences(from: expected) == [])
    #expect(found.objects.count == 11)
  }

  @Test(arguments: [StoreBuilder.JournalMode.wal, .delete], [false, true])
  func `either journal mode is read, with or without a log that waits`(
    journalMode: StoreBuilder.JournalMode, isLogKept: Bool
  ) throws {
    try check(journalMode: journalMode, isLogKept: isLogKept && journalMode == .wal) { _ in }
  }

  @Test func `appended columns, leftover columns and stale indexes are read as they are`() throws {
    try check { store in
      // Core Data appends a new column behind the others.
      for (table, columns) in [
        (
          "ZANIMAL",
          [
            "ZCOLOR VARCHAR", "ZNAME VARCHAR", "Z_FOK_OWNER INTEGER", "ZWEEKS INTEGER",
            "ZCOLOR1 INTEGER", "ZRANK INTEGER",
          ]
        ), ("ZNOTE", ["ZTEXT VARCHAR"]), ("ZPERSON", ["ZNAME VARCHAR", "Z1_PET INTEGER"]),
      ] {
        for column in columns {
          let name = column.prefix { $0 != " " }
          try store.execute(
            """
            ALTER TABLE \(table) RENAME COLUMN \(name) TO former;
            ALTER TABLE \(table) ADD COLUMN \(column);
            UPDATE \(table) SET \(name) = former;
            """)
          try store.execute(
            "SELECT 1; ALTER TABLE \(table) RENAME COLUMN former TO ZFORMER\(name)")
        }
      }
    }
  }

  @Test func `stale names in Z_PRIMARYKEY do no harm`() throws {
    try check { store in
      try store.execute("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Former' || Z_ENT")
    }
  }

  @Test func `columns that kept an old entity number are found`() throws {
    try check { store in
      try store.execute("ALTER TABLE ZPERSON RENAME COLUMN Z1_PET TO Z97_PET")
      try store.execute("ALTER TABLE ZNOTE RENAME COLUMN Z7NOTES TO Z98NOTES")
    }
  }

  @Test func `join tables that kept old entity numbers are found`() throws {
    try check { store in
      try store.execute(
        """
        ALTER TABLE Z_1LIKES RENAME COLUMN Z_1LIKED TO Z_71LIKED;
        ALTER TABLE Z_1LIKES RENAME COLUMN Z_1LIKES TO Z_71LIKES;
        ALTER TABLE Z_5MEMBERS RENAME COLUMN Z_5CLUBS TO Z_75CLUBS;
        ALTER TABLE Z_5MEMBERS RENAME COLUMN Z_7MEMBERS TO Z_77MEMBERS;
        ALTER TABLE Z_5MEMBERS RENAME COLUMN Z_FOK_5CLUBS TO Z_FOK_75CLUBS
        """)
      try store.execute("ALTER TABLE Z_1LIKES RENAME TO Z_88LIKES")
      try store.execute("ALTER TABLE Z_5MEMBERS RENAME TO Z_88MEMBERS")
    }
  }

  @Test func `join tables of old systems are read without types and key`() throws {
    try check { store in
      for (table, columns) in [
        ("Z_1FRIENDS", "Z_1FRIENDS, REFLEXIVE"), ("Z_1LIKES", "Z_1LIKED, Z_1LIKES"),
        ("Z_5MEMBERS", "Z_5CLUBS, Z_7MEMBERS, Z_FOK_5CLUBS"),
      ] {
        try store.execute(
          """
          CREATE TABLE old (\(columns));
          INSERT INTO old SELECT \(columns) FROM \(table);
          DROP TABLE \(table);
          """)
        try store.execute("ALTER TABLE old RENAME TO \(table)")
      }
    }
  }

  @Test func `a reflexive relationship is found in a table named after the other end`() throws {
    try check { store in
      try store.execute("ALTER TABLE Z_1LIKES RENAME TO Z_1LIKED")
    }
  }

  @Test func `triggers that call functions only Core Data has do no harm`() throws {
    try check { store in
      try store.execute(
        """
        CREATE TRIGGER Z_DA_ZNOTE_Note_text_UPDATE AFTER UPDATE ON ZNOTE BEGIN \
        SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZNOTE', 1, 1, 'text', 1); END
        """)
    }
  }

  @Test func `a property that two columns could hold is not guessed`() throws {
    let trial = try Trial(Self.source, Self.destination, [mapping(Self.mappings)]) { store in
      try store.execute(
        """
        ALTER TABLE ZPERSON RENAME COLUMN Z1_PET TO Z97_PET;
        ALTER TABLE ZPERSON ADD COLUMN Z96_PET INTEGER
        """)
    }
    #expect(try trial.failure().codes == ["STO-118"])
  }

  @Test
  func `a store of 2010 is read, with small pages, a rollback journal and few entries of metadata`()
    throws
  {
    let trial = try Trial(
      Self.source, Self.destination, [mapping(Self.mappings)], journalMode: .delete,
      fill: Self.fill)
    let expected = try trial.migrate().contents
    let old = try Trial(
      Self.source, Self.destination, [mapping(Self.mappings)], journalMode: .delete,
      fill: Self.fill)
    do {
      let metadata = try StoreMetadata.read(path: old.sourcePath)
      let few = StoreMetadata(
        storeUUID: metadata.storeUUID,
        members: metadata.members.filter { member in
          !["Digest", "Checksum"].contains { member.key.contains($0) }
        })
      #expect(few.versionHashesDigest == nil)
      let connection = try Connection(path: old.sourcePath, mode: .readWrite, limits: .app)
      try connection.execute(
        "UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(few.propertyListBytes)])
      try connection.execute("DROP TABLE Z_MODELCACHE; PRAGMA page_size = 2048; VACUUM")
    }
    #expect(try StoreFile.open(path: old.sourcePath).header.pageBytes == 2_048)
    #expect(try old.migrate().contents.differences(from: expected) == [])
  }

  @Test func `a log whose index is stale is read`() throws {
    let trial = try Trial(
      Self.source, Self.destination, [mapping(Self.mappings)], isLogKept: true, fill: Self.fill)
    try trial.directory.write(Array(repeating: 0xA5, count: 32_768), to: "old.sqlite-shm")
    let (contents, _) = try trial.migrate()
    #expect(contents.objects.count == 11)
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func `a database of UTF-16 text is read`(encoding: String) throws {
    let texts: [Value] = ["ä", "𝔘nicode", "", "\u{0}inside", "z", "\u{E000}", "ab", .null]
    let source = Model("1", [Entity("Word", [.text("text")])])
    let destination = Model("2", [Entity("Word", [.text("text"), .text("upper")])])
    let trial = try Trial(
      source, destination,
      [
        mapping(
          """
          {"type": "copy", "source": "Word", "destination": "Word", "filter": "text != 'z' AND (text = nil OR text < '𝔙')",
           "attributes": {"upper": "uppercase:($source.text)"}}
          """)
      ]
    ) { store in for text in texts { try store.insert("Word", ["text": text]) } }
    try recode(trial, encoding)
    let header = try StoreFile.open(path: trial.sourcePath).header
    #expect(header.textEncoding == (encoding == "UTF-16le" ? 2 : 3))
    let found = try trial.migrate().contents["Word"]
    #expect(found.map { $0["text"] } == texts.filter { $0 != "z" })
    #expect(found.prefix(2).map { $0["upper"] } == ["Ä", "𝔘NICODE"])
  }

  /// Writes the whole store again in another encoding.
  private func recode(_ trial: Trial, _ encoding: String) throws {
    let path = trial.directory.path("recoded")
    try TextRecoding.copy(trial.sourcePath, to: path, encoding: encoding)
    let files = FileSystem()
    try files.rename(path, to: trial.sourcePath)
    for sidecar in StoreUnit(path: trial.sourcePath).sidecarPaths { try files.remove(sidecar) }
  }
}
