import PassageModels
import PassageStores
import PassageTesting
import Testing

/// The record of what ran on a store, as a value and as a property list that anybody may have written.
@Suite struct MigrationLedgerTests {
  static func record(_ number: Int, names: [String] = ["StepOne"]) -> MigrationRecord {
    var digest = ContentDigest()
    digest.add("\(number)")
    var step = MigrationRecord.Step(
      source: "\(number)", destination: "\(number + 1)", sourceChecksum: "from",
      destinationChecksum: "to", mappings: names, inferred: Array(names.prefix(1)),
      digest: digest.text,
      losses: [MigrationRecord.Loss(entity: "Person", property: "fax", kind: "dropped", values: 7)])
    step.counts.read = 3
    step.counts.made = 2
    step.counts.removed = 1
    return MigrationRecord(
      steps: [step], toolVersion: "1.2.3", seconds: Double(number) + 0.125, storeUUID: "U")
  }

  @Test func `what is written is read again, as bytes too`() throws {
    var ledger = MigrationLedger()
    for number in 0..<3 { ledger.append(Self.record(number)) }
    let bytes = ledger.propertyList.binaryPropertyList
    let read = MigrationLedger(reading: try BinaryPropertyList(bytes).value())
    #expect(read == ledger)
    #expect(!read.isDamaged)
    #expect(read.steps.map(\.source) == ["0", "1", "2"])
    #expect(MigrationLedger(reading: nil) == MigrationLedger())
    #expect(MigrationLedger().isEmpty)
  }

  @Test func `losses beyond the limit are counted, and older records have none`() throws {
    var record = Self.record(1)
    let losses = (0..<250).map {
      MigrationRecord.Loss(entity: "Person", property: "p\($0)", kind: "unread", values: 1)
    }
    let step = record.steps[0]
    record.steps[0] = MigrationRecord.Step(
      source: step.source, destination: step.destination, sourceChecksum: step.sourceChecksum,
      destinationChecksum: step.destinationChecksum, mappings: step.mappings, digest: step.digest,
      losses: losses)
    var ledger = MigrationLedger()
    ledger.append(Self.record(0))
    ledger.append(record)
    let bytes = ledger.propertyList.binaryPropertyList
    let read = MigrationLedger(reading: try BinaryPropertyList(bytes).value())
    #expect(read == ledger)
    #expect(read.steps.map(\.losses.count) == [1, 100])
    #expect(read.steps.map(\.unlistedLosses) == [0, 150])
  }

  @Test func `a thousand migrations stay bounded, and are counted`() throws {
    var ledger = MigrationLedger()
    for number in 0..<1_000 { ledger.append(Self.record(number)) }
    #expect(ledger.migrations.count == MigrationLedger.maximumMigrations)
    #expect(ledger.earlier?.migrations == 900)
    #expect(ledger.earlier?.steps == 900)
    #expect(ledger.earlier?.firstSeconds == 0.125)
    #expect(ledger.earlier?.lastSeconds == 899.125)
    #expect(ledger.stepCount == 1_000)
    let bytes = ledger.propertyList.binaryPropertyList
    #expect(bytes.count < MigrationLedger.maximumBytes)
    #expect(MigrationLedger(reading: try BinaryPropertyList(bytes).value()) == ledger)
  }

  @Test func `long lists of mapping models stay bounded, and the last migration is kept whole`()
    throws
  {
    var ledger = MigrationLedger()
    let names = (0..<500).map { "a mapping model with a long name, number \($0)" }
    for number in 0..<40 { ledger.append(Self.record(number, names: names)) }
    #expect(ledger.migrations.count < 10)
    #expect(ledger.migrations.last?.steps[0].mappings == names)
    #expect(ledger.stepCount == 40)
    #expect(ledger.propertyList.binaryPropertyList.count < 2 * MigrationLedger.maximumBytes)
  }

  @Test func `a ledger continues from another when nothing but the steps was added`() {
    var source = MigrationLedger()
    for number in 0..<150 { source.append(Self.record(number)) }
    var made = source
    let added = Self.record(150)
    made.append(added)
    #expect(made.isContinuation(of: source, by: [added.digest]))
    #expect(!made.isContinuation(of: made, by: [added.digest]))
    #expect(!source.isContinuation(of: source, by: [added.digest]))
    #expect(!made.isContinuation(of: source, by: [Self.record(7).digest]))
    #expect(!made.isContinuation(of: MigrationLedger(), by: [added.digest]))
    #expect(made.ends(with: [Self.record(149).digest, added.digest]))
    #expect(!made.ends(with: []))
  }

  /// Changes of one list that make it something that was never written.
  static let hostile: [(String, PropertyList)] = [
    ("a text", .string("x")), ("no format", .dictionary([])),
    ("another format", list(format: .integer(2))),
    ("a format of another kind", list(format: .string("1"))),
    ("no list", .dictionary([PropertyList.Member("format", .integer(1))])),
    ("more than are read", list(Array(repeating: .string("x"), count: 100_000))),
    ("texts", list([.string("x")])), ("no steps", list([.dictionary([])])),
    (
      "a negative count",
      changed("counts", .dictionary([PropertyList.Member("read", .integer(-1))]))
    ),
    ("no digest", changed("digest", .string("short"))),
    ("a name that steers a terminal", changed("source", .string("\u{1B}[2J"))),
    ("a name that turns text round", changed("source", .string("a\u{202E}b"))),
    ("a name of a megabyte", changed("source", .string(String(repeating: "x", count: 1 << 20)))),
    ("a name of two lines", changed("destination", .string("a\nb"))),
    ("mappings of another kind", changed("mappings", .array([.integer(1)]))),
    ("too many losses", changed("losses", .array(Array(repeating: .string("x"), count: 1_000)))),
    ("no number as a time", list([timed(.date(.nan))])),
    ("a time beyond every calendar", list([timed(.date(1e300))])),
    ("a time before there were files", list([timed(.date(-1e12))])),
    ("a time that is a text", list([timed(.string("now"))])),
  ]

  private static func list(
    format: PropertyList = .integer(1), _ elements: [PropertyList] = []
  ) -> PropertyList {
    .dictionary([
      PropertyList.Member("format", format), PropertyList.Member("migrations", .array(elements)),
    ])
  }

  private static func timed(_ date: PropertyList) -> PropertyList {
    var ledger = MigrationLedger()
    ledger.append(record(1))
    return replacing(ledger.propertyList["migrations"]?.elements?.first ?? .array([]), "date", date)
  }

  private static func changed(_ key: String, _ value: PropertyList) -> PropertyList {
    var ledger = MigrationLedger()
    ledger.append(record(1))
    let whole = ledger.propertyList["migrations"]?.elements?.first ?? .array([])
    let step = replacing(whole["steps"]?.elements?.first ?? .array([]), key, value)
    return list([replacing(whole, "steps", .array([step]))])
  }

  private static func replacing(
    _ list: PropertyList, _ key: String, _ value: PropertyList
  ) -> PropertyList {
    .dictionary(
      (list.members ?? []).map { $0.key == key ? PropertyList.Member(key, value) : $0 })
  }

  @Test(arguments: hostile)
  func `rows that were never written are left out and reported as damage`(
    what: String, list: PropertyList
  ) throws {
    let ledger = MigrationLedger(reading: list)
    #expect(ledger.isDamaged, "\(what)")
    #expect(ledger.migrations.isEmpty)
    // A record of today ends the damage.
    var next = ledger
    next.append(Self.record(1))
    #expect(!MigrationLedger(reading: next.propertyList).isDamaged)
  }

  @Test func `counts at the largest number do not overflow`() throws {
    let text = PropertyList.dictionary([
      PropertyList.Member("format", .integer(1)),
      PropertyList.Member(
        "earlier",
        .dictionary([
          PropertyList.Member("migrations", .integer(.max)),
          PropertyList.Member("steps", .integer(.max)),
          PropertyList.Member("first", .date(0)), PropertyList.Member("last", .date(0)),
        ])), PropertyList.Member("migrations", .array([])),
    ])
    var ledger = MigrationLedger(reading: text)
    #expect(!ledger.isDamaged)
    for number in 0..<200 { ledger.append(Self.record(number)) }
    #expect(ledger.earlier?.steps == .max)
    #expect(ledger.stepCount == .max)
  }

  @Test func `names that cannot be shown are recorded so that they can be read again`() throws {
    var record = Self.record(1)
    record.steps[0].source = "a\u{7}b\n" + String(repeating: "x", count: 1_000)
    var ledger = MigrationLedger()
    ledger.append(record)
    let read = MigrationLedger(reading: ledger.propertyList)
    #expect(!read.isDamaged)
    #expect(read.steps.first?.source.hasPrefix("a\u{FFFD}b\u{FFFD}xxx") == true)
  }

  @Test func `the record is not among the app's entries, and goes on to the next store`() {
    var ledger = MigrationLedger()
    ledger.append(Self.record(1))
    let app = PropertyList.Member("token", .string("t"))
    let hashes = ModelHashes(model: Fixtures.events)
    let bare = StoreMetadata(
      storeUUID: "U", hashes: hashes, versionIdentifiers: [], appMembers: [app])
    let first = bare.carriedOver(to: hashes, versionIdentifiers: [], ledger: ledger)
    #expect(first.migrationLedger == ledger)
    #expect(first.appMembers == [app])
    let second = first.carriedOver(to: hashes, versionIdentifiers: [])
    #expect(second.migrationLedger == ledger)
    #expect(second.members.count { $0.key == MigrationLedger.key } == 1)
    #expect(bare.migrationLedger.isEmpty)
  }
}
