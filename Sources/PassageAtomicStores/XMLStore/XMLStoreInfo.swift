internal import PassageStores

/// What a Core Data XML store says of itself, `<databaseInfo>`.
struct XMLStoreInfo {
  var storeUUID: String?
  /// The entries of the metadata.
  var members: [PropertyList.Member] = []

  /// The entry with which a store of several hierarchies keeps the keys its objects had.
  static let offsetsKey = "PassageKeyOffsets"
  static let hashesKey = "NSStoreModelVersionHashes"
  /// The format's number: the same in every file known, of 2005 as of today.
  static let version = 134_481_920

  init(storeUUID: String?, members: [PropertyList.Member]) {
    self.storeUUID = storeUUID
    self.members = members
  }

  /// Reads the element; what it lacks is left out.
  init(_ root: MarkupElement) {
    guard let info = root.children.first(where: { $0.name == "databaseInfo" }) else { return }
    let uuid = info.children.first { $0.name == "UUID" }?.text.filter { !$0.isWhitespace }
    storeUUID = uuid?.isEmpty == false ? uuid : nil
    let list = info.children.first { $0.name == "metadata" }?.children.first { $0.name == "plist" }
    members = list?.children.first.flatMap(MarkupPropertyList.value)?.members ?? []
  }

  /// The version hashes, by entity; empty when there are none.
  var versionHashes: [String: [UInt8]] {
    Dictionary(
      (members.first { $0.key == Self.hashesKey }?.value.members ?? []).compactMap { member in
        member.value.bytes.map { (member.key, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// What was added to the keys of each hierarchy, so that identifiers are unique in the file.
  var keyOffsets: [String: Int64] {
    Dictionary(
      (members.first { $0.key == Self.offsetsKey }?.value.members ?? []).compactMap { member in
        member.value.integer.map { (member.key, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The entries that are the app's own.
  var appMembers: [PropertyList.Member] {
    StoreMetadata(storeUUID: "", members: members).appMembers.filter { $0.key != Self.offsetsKey }
  }
}
