public import PassageModels
internal import PassagePlatform
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The stores of the examples. The same call always creates the same store.
public enum SampleStore {
  /// Model 1 of the example: `Event(timeStamp: Date, optional)`.
  public static let eventsModel = Model(
    name: "1",
    entities: [Entity(name: "Event", attributes: [Attribute(name: "timeStamp", type: .date)])])

  /// The number of events that ``writeEvents(to:)`` writes.
  public static let eventCount: Int64 = 2_000

  /// Creates the store of the example: ``eventCount`` events in Core Data's layout and in WAL mode.
  /// Every sixteenth has no time stamp.
  ///
  /// - Parameter path: the store's path; nothing may exist there, and its folder must exist.
  /// - Throws: `StoreError` if the store cannot be created.
  public static func writeEvents(to path: String) throws {
    guard !StoreUnit(path: path).exists else { throw StoreError(.destinationExists, path: path) }
    let builder = try StoreBuilder(path: path, layout: StoreLayout(model: eventsModel))
    try builder.createTables()
    try builder.connection.transaction {
      let insert = try builder.connection.prepare(
        "INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (?, 1, 1, ?)")
      for key in 1...eventCount {
        try insert.bind([.integer(key), eventTimeStamp(key: key).map(Value.real) ?? .null])
        try insert.run()
      }
    }
    try builder.createIndexes()
    try builder.writePrimaryKeys(["Event": eventCount])
    try builder.writeMetadata(
      StoreMetadata(
        storeUUID: "5E6C1A52-0D3B-4C37-9D52-1E0B8A4F2C11", hashes: ModelHashes(model: eventsModel),
        versionIdentifiers: eventsModel.versionIdentifiers))
    try builder.writeModel(ModelArchive(eventsModel))
    try builder.finish(journalMode: .wal)
  }

  /// The time stamp of an event of ``writeEvents(to:)``, in seconds since 2001-01-01 00:00:00 UTC;
  /// `nil` for every sixteenth event, and for a key of no event, which is below 1.
  ///
  /// The first twelve are instants that are often converted wrongly. The others begin at 1999-12-31
  /// 23:59:59 and are two days and a few hours apart; half of them have a fraction of a second.
  public static func eventTimeStamp(key: Int64) -> Double? {
    if key < 1 || key % 16 == 0 { return nil }
    if key <= instants.count { return instants[Int(key) - 1] }
    let fraction = [0, 0.5, 0, 0.123_456_789][Int(key % 4)]
    return -31_622_401 + Double(key) * 184_031 + fraction
  }

  /// Seconds since 2001-01-01 00:00:00 UTC.
  private static let instants: [Double] = [
    -978_307_200,  // 1970-01-01 00:00:00, where other clocks begin
    0,  // 2001-01-01 00:00:00, where this one does
    -0.5,  // the last half second before it
    638_585_999.75,  // 2021-03-28 00:59:59.75, the last second of winter time in Europe
    638_586_000,  // 2021-03-28 01:00:00, the first of summer time
    657_333_000,  // 2021-10-31 00:30:00, inside the hour that Europe has twice
    657_336_600,  // an hour later, inside it again
    730_902_896.789,  // 2024-02-29 12:34:56.789, a leap day
    -2_793_657_600,  // 1912-06-23 00:00:00, before summer time was invented
    1_169_176_448,  // 2038-01-19 03:14:08, one second after 32 bits of 1970 end
    599_616_000,  // 2020-01-02 00:00:00
    63_113_904_000,  // 4001-01-01, the end of Foundation's own calendar
  ]
}
