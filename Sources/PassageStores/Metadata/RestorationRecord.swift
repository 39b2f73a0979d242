/// What a store records of having been put back: when, and in whose place.
package struct RestorationRecord: Sendable, Hashable {
  /// The key of the record in a store's metadata.
  package static let key = "PassageRestoration"

  /// When the store was put back, in seconds since 2001-01-01 UTC.
  package var seconds: Double
  /// The version of Passage.
  package var toolVersion: String
  /// The version of the store, as in the name of the kept store.
  package var version: String
  /// The version of the store that it replaced; `nil` when there was none.
  package var replacedVersion: String?
  /// The name of the kept store that was put back.
  package var keptName: String

  package init(
    seconds: Double, toolVersion: String, version: String, replacedVersion: String?,
    keptName: String
  ) {
    self.seconds = seconds
    self.toolVersion = toolVersion
    self.version = version
    self.replacedVersion = replacedVersion
    self.keptName = keptName
  }

  /// Reads a record; anybody may have written the file that it is read from.
  init?(reading list: PropertyList) {
    guard let seconds = list.seconds("date"), let tool = list.name("tool"),
      let version = list.name("version"), let kept = list.name("kept")
    else { return nil }
    self.init(
      seconds: seconds, toolVersion: tool, version: version,
      replacedVersion: list.name("replaced"), keptName: kept)
  }

  var propertyList: PropertyList {
    var members = [
      PropertyList.Member("date", .date(seconds)), PropertyList.Member("tool", .name(toolVersion)),
      PropertyList.Member("version", .name(version)), PropertyList.Member("kept", .name(keptName)),
    ]
    if let replacedVersion {
      members.append(PropertyList.Member("replaced", .name(replacedVersion)))
    }
    return .dictionary(members)
  }
}

extension StoreMetadata {
  /// When and in whose place the store was put back; `nil` when it was not, or when the record
  /// cannot be read.
  package var restoration: RestorationRecord? {
    self[RestorationRecord.key].flatMap(RestorationRecord.init(reading:))
  }

  /// The same metadata with the record of a restoration.
  package func recording(_ restoration: RestorationRecord) -> StoreMetadata {
    StoreMetadata(
      storeUUID: storeUUID,
      members: members.filter { $0.key != RestorationRecord.key } + [
        PropertyList.Member(RestorationRecord.key, restoration.propertyList)
      ])
  }

  /// The modification time that a store's file gets when Passage puts it in place, in nanoseconds
  /// since 1970, so that a later writer can be noticed.
  ///
  /// - Parameter seconds: the time of its last record, in seconds since 2001-01-01 UTC.
  package static func modifiedNanoseconds(ofRecord seconds: Double) -> Int64 {
    Int64(exactly: ((seconds + 978_307_200) * 1e9).rounded()) ?? 0
  }

  /// The time of the last record of Passage; `nil` when there is none.
  package var lastRecordSeconds: Double? {
    [migrationLedger.migrations.last?.seconds, restoration?.seconds].compactMap(\.self).max()
  }
}
