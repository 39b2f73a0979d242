import GRDB

/// The job with GRDB's migrator and records, on the store STORE itself.
@main
struct GRDBPeer {
  struct Event: Codable, FetchableRecord, TableRecord {
    static let databaseTableName = "ZEVENT"

    enum CodingKeys: String, CodingKey {
      case key = "Z_PK"
      case count = "ZCOUNT"
      case isRead = "ZISREAD"
      case place = "ZPLACE"
      case score = "ZSCORE"
      case time = "ZTIMESTAMP"
      case title = "ZTITLE"
    }

    var key: Int64
    var count: Int64
    var isRead: Int64
    var place: String
    var score: Double
    var time: Double
    var title: String
  }

  struct Record: Codable, PersistableRecord {
    static let databaseTableName = "ZRECORD"

    enum CodingKeys: String, CodingKey {
      case key = "Z_PK"
      case entity = "Z_ENT"
      case version = "Z_OPT"
      case headline = "ZHEADLINE"
      case isUnread = "ZISUNREAD"
      case location = "ZLOCATION"
      case number = "ZNUMBER"
      case seconds = "ZSECONDS"
      case share = "ZSHARE"
    }

    var key: Int64
    var entity = 1
    var version = 1
    var headline: String
    var isUnread: Int64
    var location: String
    var number: Int64
    var seconds: Double
    var share: Double

    init(_ event: Event) {
      key = event.key
      headline = event.title
      isUnread = 1 - event.isRead
      location = event.place
      number = event.count * 2 + 1
      seconds = event.time + 978307200.0
      share = event.score / 100.0
    }
  }

  static func main() throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("records") { database in
      try database.create(table: "ZRECORD") { table in
        table.primaryKey("Z_PK", .integer)
        for name in ["Z_ENT", "Z_OPT", "ZISUNREAD", "ZNUMBER"] { table.column(name, .integer) }
        for name in ["ZSECONDS", "ZSHARE"] { table.column(name, .double) }
        for name in ["ZHEADLINE", "ZLOCATION"] { table.column(name, .text) }
      }
      let events = try Event.order(Column("Z_PK")).fetchCursor(database)
      while let event = try events.next() { try Record(event).insert(database) }
      try database.drop(table: "ZEVENT")
    }
    try migrator.migrate(DatabaseQueue(path: CommandLine.arguments[1]))
  }
}
