internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The objects that several source objects become, by a key chosen by the policy: those of this
/// pass and of earlier ones.
final class PolicySharedObjects {
  private let passIndex: Int
  private let store: PassStore
  private let numbers: EntityNumbers
  private var known = SharedObjects()
  /// The objects that are being made, each inside the one before.
  private var unmade: [(number: Int64, bytes: [UInt8])] = []
  private var select = PreparedOnce(Journal.findShared)
  private var write = PreparedOnce(Journal.addShared)

  init(passIndex: Int, store: PassStore, numbers: EntityNumbers) {
    self.passIndex = passIndex
    self.store = store
    self.numbers = numbers
  }

  func find(_ entity: String, _ key: [Value]) throws -> ObjectReference? {
    let number = try numbers.number(of: entity)
    let bytes = SharedKey.bytes(key)
    return try find(number, bytes).map { ObjectReference(entityName: entity, key: $0) }
  }

  private func find(_ number: Int64, _ bytes: [UInt8]) throws -> Int64? {
    if let known = known.find(number, bytes) { return known }
    let statement = try select.statement(on: store.connection)
    try statement.bind([.integer(number), .blob(bytes)])
    defer { statement.reset() }
    let found = try statement.step() ? statement.integer(at: 0) : nil
    if let found { known.remember(number, bytes, found) }
    return found
  }

  /// Has a new object made under a key. It is found only when it is inserted, so nothing that makes it may ask
  /// for it.
  ///
  /// - Throws: ``PolicyMistake`` when it is being made already, and the errors of `make`.
  func whileMaking(_ entity: String, _ key: [Value], _ make: () throws -> Void) throws {
    let number = try numbers.number(of: entity)
    let bytes = SharedKey.bytes(key)
    guard !unmade.contains(where: { $0.number == number && $0.bytes == bytes }) else {
      throw PolicyMistake(
        "the “make” of findOrInsert(_:key:for:make:) asks for the “\(entity)” that it is to make: "
          + "the same entity and the same key")
    }
    unmade.append((number, bytes))
    defer { unmade.removeLast() }
    try make()
  }

  func insert(_ object: ObjectReference, _ key: [Value]) throws {
    let number = try numbers.number(of: object.entityName)
    let bytes = SharedKey.bytes(key)
    try write.run(
      [.integer(number), .blob(bytes), .integer(object.key), .integer(Int64(passIndex))],
      on: store.connection)
    known.remember(number, bytes, object.key)
  }

  /// Empties the cache after a transaction was rolled back.
  func forget() { known = SharedObjects() }
}
