internal import Passage
internal import PassagePlatform

/// A list of kept stores, as text and as JSON.
struct KeptStoreReport {
  private let stores: [KeptStore]
  private let storePath: String

  init(_ stores: [KeptStore], of storePath: String) {
    self.stores = stores
    self.storePath = storePath
  }

  func result(command: String) -> CommandResult {
    CommandResult(
      text: text,
      json: .object([
        ("command", .string(command)), ("store", .path(storePath)),
        ("kept", .list(stores.map(\.json))),
      ]))
  }

  private var text: OutputText {
    guard !stores.isEmpty else { return OutputText("No old store of \(storePath) is kept.") }
    return OutputText(lines: [storePath, ""] + Self.lines(stores))
  }

  /// A table of kept stores.
  static func lines(_ stores: [KeptStore]) -> [String] {
    var table = TextTable([
      ("kept store", .left), ("version", .left), ("last written", .left), ("size", .right),
      ("", .left),
    ])
    for store in stores {
      table.add([
        StoreUnit(path: store.path).name, store.version, store.timeText,
        NumberText.bytes(store.bytes), store.obstacle?.text ?? "",
      ])
    }
    return table.lines
  }
}

extension KeptStore {
  fileprivate var timeText: String {
    MigrationRecord.timeText(modified.timeIntervalSinceReferenceDate)
  }

  /// The store as a member of a report.
  var json: JSONText {
    .object([
      ("path", .path(path)),
      ("replacedBy", .string(reason == .before ? "migration" : "restoration")),
      ("version", .string(version)), ("number", .integer(Int64(number))),
      ("bytes", .integer(bytes)), ("modified", .string(timeText)),
      ("storeUUID", .optional(storeUUID)), ("obstacle", .optional(obstacle?.rawValue)),
    ])
  }
}

extension KeptStore.Obstacle {
  fileprivate var text: String {
    switch self {
    case .unreadable: "cannot be read as a store"
    case .otherStore: "another store, with another UUID"
    }
  }
}
