internal import PassageStores

/// The information that a Core Data XML store has about itself, `<databaseInfo>`.
struct XMLStoreInfo {
  var storeUUID: String?
  /// The entries of the metadata.
  var members: [PropertyList.Member] = []

  /// The key of an entry with which a store of several hierarchies records the original keys of its
  /// objects.
  static let offsetsKey = "PassageKeyOffsets"
  static let hashesKey = "NSStoreModelVersionHashes"
  /// The version number of the format: the same in every known file, from 2005 until today.
  static let version = 134_481_920

  init(storeUUID: String?, members: [PropertyList.Member]) {
    self.storeUUID = storeUUID
    self.members = members
  }

  /// Reads the element. Missing parts are left out.
  init(_ root: MarkupElement) {
    guard let info = root.children.first(where: { $0.name == "databaseInfo" }) else { return }
    let uuid = info.children.first { $0.name == "UUID" }?.text.filter { !$0.isWhitespace }
    storeUUID = uuid?.isEmpty == false ? uuid : nil
    let list = info.children.first { $0.name == "metadata" }?.children.first { $0.name == "plist" }
    members = list?.children.first.flatMap(MarkupPropertyList.value)?.members ?? []
  }

  /// The version hashes by entity; empty if there are none.
  var versionHashes: [String: [UInt8]] {
    Dictionary(
      (members.first { $0.key == Self.hashesKey }?.value.members ?? []).compactMap { member in
        member.value.bytes.map { (member.key, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The numbers added to the keys of each hierarchy, so that identifiers are unique in the file.
  var keyOffsets: [String: Int64] {
    Dictionary(
      (members.first { $0.key == Self.offsetsKey }?.value.members ?? []).compactMap { member in
        member.value.integer.map { (member.key, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The app's own entries.
  var appMembers: [PropertyList.Member] {
    StoreMetadata(storeUUID: "", members: members).appMembers.filter { $0.key != Self.offsetsKey }
  }
}
