internal import PassageModels
internal import PassageStores
internal import PassagePlatform

/// The store that a migration reads: one in Core Data's layout, or one of another type, which is
/// staged first.
struct SourceStore {
  let unit: StoreUnit
  /// `nil` for Core Data's layout.
  let type: (any StoreType)?

  init(path: String, types: StoreTypes) {
    unit = StoreUnit(path: path)
    type = types.type(ofFileAt: path)
  }

  var path: String { unit.path }

  /// A text that changes when the store changes. It decides whether existing work can be continued.
  func fingerprint() throws -> String {
    guard let type else { return "\(try StoreFingerprint(path: path))" }
    return try type.fingerprint(path: path)
  }

  /// The text encoding of the store that the engine reads, as in the header of a database: 1 for
  /// UTF-8, which every staged store has.
  func textEncoding() throws -> UInt32 {
    type == nil ? try StoreFile.open(path: path).header.textEncoding : 1
  }

  /// The number of objects of each entity.
  func counts(_ model: Model) throws -> ObjectCounts {
    if let type {
      return ObjectCounts(
        byEntity: try type.open(path: path, as: model).objectCounts(), strangers: [:])
    }
    let store = try StoreFile.open(path: path)
    return try store.objectCounts(store.layout(of: model))
  }

  /// The UUID of the store that is staged from a source of another type. It stays the same as long
  /// as the source does, so that the result of a finished run is recognised.
  func stagedUUID() throws -> String {
    // Two 64-bit FNV-1a digests. This is not cryptographic; it distinguishes the sources of one
    // user.
    var halves: [UInt64] = [0xcbf2_9ce4_8422_2325, 0x8422_2325_cbf2_9ce4]
    for byte in Array(try fingerprint().utf8) + Array(path.utf8) {
      for index in halves.indices {
        halves[index] = (halves[index] ^ UInt64(byte)) &* 0x100_0000_01b3
      }
    }
    let b = halves.flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> ($0 * 8)) } }
    // https://www.rfc-editor.org/rfc/rfc9562, section 5.8: version 8 is for custom values such as
    // this digest.
    return UUID(
      uuid: (
        b[0], b[1], b[2], b[3], b[4], b[5], b[6] & 0x0F | 0x80, b[7], b[8] & 0x3F | 0x80, b[9],
        b[10], b[11], b[12], b[13], b[14], b[15]
      )
    ).uuidString
  }
}
