internal import PassageFiles
internal import PassageModels
internal import PassagePages
internal import PassagePlatform
internal import PassageSQLite
internal import PassageStores

/// The store that a migration reads: one in Core Data's layout, or one of another type, which is
/// staged first. Not shared between threads.
///
/// A store in Core Data's layout is opened once, and everything that is asked about it is asked on
/// that connection. Until it is closed, nothing may open and close its main file otherwise: the
/// system would take the connection's locks away.
final class SourceStore {
  let unit: StoreUnit
  /// `nil` for Core Data's layout.
  let type: (any StoreType)?
  /// The store, once it was opened; see ``open()``.
  private(set) var opened: OpenStore?
  /// The fingerprint of a store that was opened at rest, before that; see
  /// `StoreFile.openResting`.
  let restingFingerprint: StoreFingerprint?
  private var pages: Result<PageReader, any Error>?
  /// The file that ``pages`` reads, or cannot.
  private var pageFile: PositionalFile?
  /// Whether there was a folder of external data when it was first asked for.
  private(set) lazy var hasSupport = FileSystem().entry(unit.supportPath) != nil
  /// The size of all its files when it was first asked for, in bytes; for estimates.
  private(set) lazy var totalBytes =
    restingFingerprint.map { $0.bytes.saturatingAdd(hasSupport ? unit.externalBytes : 0) }
    ?? unit.totalBytes

  /// - Parameters:
  ///   - restingBytes: the size of the largest store that is opened at rest.
  ///   - sight: what was seen of the store a moment ago.
  init(path: String, types: StoreTypes, restingBytes: Int = 0, sight: StoreSight? = nil) {
    unit = StoreUnit(path: path)
    let resting = StoreFile.openResting(path: path, maximumBytes: restingBytes, sight: sight)
    restingFingerprint = resting?.fingerprint
    // Nothing but a store in Core Data's layout can be opened like this, so no type is asked.
    opened = resting?.store ?? (try? StoreFile.open(path: path))
    type = opened == nil ? types.type(ofFileAt: path) : nil
  }

  var path: String { unit.path }

  /// The store in Core Data's layout, inside one read transaction.
  ///
  /// - Throws: the errors of `StoreFile.open`.
  func open() throws(StoreError) -> OpenStore {
    if let opened { return opened }
    let store = try StoreFile.open(path: path)
    opened = store
    return store
  }

  /// Closes the store. Called before the run itself changes the files.
  func close() {
    opened = nil
    pages = nil
    pageFile = nil
  }

  /// The pages of the store, or why they cannot be read without SQLite. The reader is made once, and
  /// closed with the store.
  func pageReader() -> Result<PageReader, any Error> {
    if let pages { return pages }
    let reader = Result {
      if let pages = opened?.restingPages { return pages }
      let file = try PositionalFile(path, mode: .reading)
      pageFile = file
      let reader = try PageReader(file, logPath: unit.walPath)
      // Both are of one file only if the one that SQLite has open is still at the path.
      if try opened?.hasMoved() == true { throw SourceChanged() }
      if let opened, opened.readsLog {
        guard let end = try opened.connection.logEnd,
          reader.logEnds(after: end.frames, salts: end.salts)
        else { throw Unsoundness.logChanged }
      }
      return reader
    }
    pages = reader
    return reader
  }

  /// A text that changes when the store changes. It decides whether existing work can be continued.
  func fingerprint() throws -> String {
    guard let type else { return "\(try storeFingerprint())" }
    return try type.fingerprint(path: path)
  }

  private func storeFingerprint() throws(StoreError) -> StoreFingerprint {
    guard let opened else { return try StoreFingerprint(path: path) }
    return try StoreFingerprint(path: path, changeCounter: opened.header.changeCounter)
  }

  /// Why SQLite compares the values of the store that a step reads otherwise than the engine does in
  /// memory; `nil` when it compares alike, as in every staged store.
  ///
  /// - Parameters:
  ///   - index: of the step.
  ///   - model: of the store.
  func comparisonObstacle(ofStep index: Int, _ model: Model) throws -> String? {
    guard type == nil else { return nil }
    let store = try open()
    return index == 0
      ? try store.comparisonObstacle(store.layout(of: model)) : store.encodingObstacle
  }

  /// The number of objects of each entity. In every lane the headers of pages tell it where they can:
  /// that takes a third of SQLite's time, and SQLite counts again where anything is wrong with them. If
  /// it refuses the store, ``damagedTable(_:)`` says where the damage is.
  ///
  /// - Parameters:
  ///   - predicted: the layout of the model; `nil` to predict it.
  ///   - pages: counts in the pages of the store; `nil` when SQLite counts.
  func counts(
    _ model: Model, predicted: StoreLayout? = nil, pages: PageCount?
  ) throws -> ObjectCounts {
    if let type {
      return ObjectCounts(
        byEntity: try type.open(path: path, as: model).objectCounts(), strangers: [:])
    }
    let store = try open()
    let layout = try store.layout(of: model, predicted: predicted)
    guard let pages else { return try store.objectCounts(layout) }
    return try store.objectCounts(
      layout, rowCount: { try? pages.rows(of: $0) },
      rowsByEntity: { try? pages.rowsByEntity(of: $0) })
  }

  /// What counts in the pages of the store.
  ///
  /// - Parameter options: of the run.
  /// - Returns: `nil` when SQLite counts, or the store is of another type.
  func makePageCount(_ options: MigrationOptions) throws(StoreError) -> PageCount? {
    guard type == nil else { return nil }
    let store = try open()
    guard
      store.restingPages != nil && !store.facts.hasIndexes
        || PageCount.isUsed(byteCount: totalBytes, isForced: options.lane == .page),
      let reader = try? pageReader().get()
    else { return nil }
    return PageCount(reader, store, threadCount: options.limits.threadCount)
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
