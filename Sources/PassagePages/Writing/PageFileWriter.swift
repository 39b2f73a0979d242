internal import PassageFiles

/// Appends pages to a database that SQLite has made and that nobody has open.
///
/// Pages get their numbers in ascending order. They are collected in memory and written in runs. Until
/// ``finish()`` the header tells the old size, so that SQLite does not see them.
package final class PageFileWriter {
  /// What a pointer-map entry says of its page.
  enum Kind: UInt8 {
    case firstOverflow = 3
    case overflow = 4
    case tree = 5
  }

  /// Pages that are written to a file at once. Memory takes a few, which stay in the core's cache.
  private static let runPages = (file: 64, memory: 8)
  private static let reservedBytes: Int64 = 4 << 20
  /// Pointer-map pages that are kept in memory.
  private static let mapsInMemory = 4

  let geometry: PageGeometry
  /// The longest record that fits a leaf of a table.
  package var longestPayload: Int { geometry.longestTablePayload }
  private let file: any PageStorage
  /// The first page that has no number yet.
  private(set) var nextPage: UInt32
  /// The first page that this writer has appended.
  private let firstPage: UInt32
  /// The pages from ``runStart`` that are not in the file yet.
  private let run: PageBuffer
  private let runPages: Int
  private var runStart: UInt32
  /// Room on the disk is reserved up to here; `nil` at first.
  private var reservedEnd: Int64?
  private var hasReserved = false
  private var maps: [(page: UInt32, buffer: PageBuffer)] = []
  /// The tables that were open at the mark at which this writer continues, by root, until they are
  /// continued.
  private var openTables: [UInt32: WriterMark.Reader] = [:]
  /// The pages that were in the file before and wait for ``finish()``; `nil` when they are written
  /// at once.
  private var waiting: [UInt32: PageBuffer]?

  /// - Parameters:
  ///   - path: of a database without a journal or a log.
  ///   - keepsPages: whether the pages that are in the file, such as the roots of tables, stay as
  ///     they are until ``finish()``.
  /// - Throws: ``PageDamage`` when the file is not one that pages can be appended to.
  package convenience init(path: String, keepsPages: Bool = false) throws {
    try self.init(
      PositionalFile(path, mode: .updating), keepsPages: keepsPages, runPages: Self.runPages.file)
  }

  /// - Parameter memory: the bytes of a database in memory.
  /// - Throws: ``PageDamage`` when it is not one that pages can be appended to.
  package convenience init(memory: any PageStorage, keepsPages: Bool = false) throws {
    try self.init(memory, keepsPages: keepsPages, runPages: Self.runPages.memory)
  }

  private init(_ file: any PageStorage, keepsPages: Bool, runPages: Int) throws {
    waiting = keepsPages ? [:] : nil
    self.runPages = runPages
    let header = try FileHeader.read(file)
    self.file = file
    geometry = header.geometry
    nextPage = header.pageCount + 1
    firstPage = nextPage
    let byteCount = geometry.offset(of: nextPage)
    guard header.pageCount > 0, try file.byteCount >= byteCount else {
      throw PageDamage(page: 1, "has another size than the file")
    }
    // What is behind was written by a run that ended before it recorded a mark.
    try file.truncate(to: byteCount)
    runStart = nextPage
    run = PageBuffer(byteCount: runPages * geometry.pageBytes)
  }

  // MARK: Marks

  /// Whether a table was open at the mark at which this writer continues.
  package func isOpen(table root: UInt32) -> Bool { openTables[root] != nil }

  /// The mark of an open table. It can be taken once.
  func takeMark(ofTable root: UInt32) throws(UnreadableMark) -> WriterMark.Reader {
    guard let mark = openTables.removeValue(forKey: root) else { throw UnreadableMark() }
    return mark
  }

  /// Brings what was appended so far into the file, which is not synced, but for the open pages of
  /// tables, which are part of the mark.
  ///
  /// - Parameter tables: all that have rows and are not finished.
  package func mark(_ tables: [TableTreeWriter] = []) throws -> WriterMark {
    var mark = WriterMark()
    for map in maps { try put(map.page, map.buffer.bytes) }
    try writeRun()
    mark.append(Int64(nextPage))
    mark.append(Int64(maps.count))
    for map in maps { mark.append(Int64(map.page)) }
    for table in tables {
      let own = table.mark
      mark.append(Int64(table.root))
      mark.append(Int64(own.bytes.count))
      own.bytes.withUnsafeBytes { mark.append($0) }
    }
    return mark
  }

  /// Continues at a mark. Pages that were written since are dropped.
  package init(path: String, at mark: WriterMark) throws {
    var reader = WriterMark.Reader(mark)
    file = try PositionalFile(path, mode: .updating)
    geometry = try FileHeader.read(file).geometry
    nextPage = UInt32(try reader.number(in: 2...Int(Int32.max)))
    firstPage = nextPage
    waiting = nil
    runStart = nextPage
    runPages = Self.runPages.file
    run = PageBuffer(byteCount: runPages * geometry.pageBytes)
    let byteCount = geometry.offset(of: nextPage)
    guard try file.byteCount >= byteCount else { throw UnreadableMark() }
    try file.truncate(to: byteCount)
    for _ in 0..<(try reader.number(in: 0...Self.mapsInMemory)) {
      let page = try reader.page()
      guard geometry.isPointerMap(page), page < nextPage else { throw UnreadableMark() }
      let buffer = PageBuffer(byteCount: geometry.pageBytes)
      try read(page, into: buffer)
      maps.append((page, buffer))
    }
    while !reader.isAtEnd {
      let root = try reader.page()
      openTables[root] = try reader.part(byteCount: try reader.number(in: 0...Int(Int32.max)))
    }
  }

  /// Whether a page has been given out, so that another can lead to it.
  func hasGivenOut(_ page: UInt32) -> Bool {
    page > 1 && page < nextPage && geometry.isUsable(page)
  }

  private func read(_ page: UInt32, into buffer: PageBuffer) throws {
    _ = try file.read(
      into: UnsafeMutableRawBufferPointer(start: buffer.bytes, count: buffer.byteCount),
      at: geometry.offset(of: page))
  }

  // MARK: Pages

  /// Gives out the number of a new page. It is put before ``finish()``.
  func allocate() throws -> UInt32 {
    while !geometry.isUsable(nextPage) {
      let page = nextPage
      try advance()
      // A page of the pointer map is put when it is complete.
      place(of: page).initializeMemory(as: UInt8.self, repeating: 0, count: geometry.pageBytes)
    }
    let page = nextPage
    try advance()
    return page
  }

  /// Gives out a new page whose bytes are set where they are collected.
  ///
  /// - Returns: its number, and its bytes, whatever is in them. They stay until the next page is
  ///   given out, or a mark is taken.
  func allocateInPlace() throws -> (page: UInt32, bytes: UnsafeMutableRawPointer) {
    let page = try allocate()
    return (page, place(of: page))
  }

  /// The number of the page that is given out next.
  var upcomingPage: UInt32 {
    var page = nextPage
    while !geometry.isUsable(page) { page += 1 }
    return page
  }

  private func advance() throws {
    guard nextPage < UInt32(Int32.max) else {
      throw PageDamage(page: nextPage, "is beyond the largest page")
    }
    // The latest page is kept, because it is put next.
    if nextPage - runStart >= runPages { try writeRun() }
    nextPage += 1
  }

  /// Where a page is collected that is not in the file yet.
  private func place(of page: UInt32) -> UnsafeMutableRawPointer {
    run.bytes + Int(page - runStart) * geometry.pageBytes
  }

  /// Sets the contents of a page that ``allocate()`` has given out, or of a table's root page.
  func put(_ page: UInt32, _ bytes: UnsafeRawPointer) throws {
    if page >= runStart {
      place(of: page).copyMemory(from: bytes, byteCount: geometry.pageBytes)
    } else if waiting != nil, page < firstPage {
      let buffer = PageBuffer(byteCount: geometry.pageBytes)
      buffer.bytes.copyMemory(from: bytes, byteCount: geometry.pageBytes)
      waiting?[page] = buffer
    } else {
      try file.write(
        UnsafeRawBufferPointer(start: bytes, count: geometry.pageBytes),
        at: geometry.offset(of: page))
    }
  }

  /// Writes the pages that are collected. Those among them that have not been put yet follow by themselves.
  private func writeRun() throws {
    let count = Int(nextPage - runStart) * geometry.pageBytes
    guard count > 0 else { return }
    let offset = geometry.offset(of: runStart)
    reserve(through: offset + Int64(count))
    try file.write(UnsafeRawBufferPointer(start: run.bytes, count: count), at: offset)
    runStart = nextPage
  }

  /// Reserves room on the disk for many pages at once, when many have been appended already: the
  /// system then need not find it page by page.
  private func reserve(through end: Int64) {
    if reservedEnd == nil { reservedEnd = geometry.offset(of: firstPage) + Self.reservedBytes }
    while let reserved = reservedEnd, reserved < end {
      file.reserve(Self.reservedBytes, at: reserved)
      hasReserved = true
      reservedEnd = reserved + Self.reservedBytes
    }
  }

  // MARK: Pointer map

  /// Notes which page leads to a page.
  func setPointer(to page: UInt32, _ kind: Kind, from parent: UInt32) throws {
    guard geometry.hasPointerMap else { return }
    let map = geometry.pointerMapPage(of: page)
    let offset = geometry.pointerMapOffset(of: page)
    if waiting != nil, map < firstPage {
      return try setWaitingPointer(in: map, at: offset, kind, from: parent)
    }
    if let bytes = try mapInMemory(map) {
      bytes.storeBytes(of: kind.rawValue, toByteOffset: offset, as: UInt8.self)
      bytes.setBigUInt32(parent, at: offset + 1)
      return
    }
    let entry = PageBuffer(byteCount: 5)
    entry.bytes.storeBytes(of: kind.rawValue, as: UInt8.self)
    entry.bytes.setBigUInt32(parent, at: 1)
    try file.write(entry.contents, at: geometry.offset(of: map) + Int64(offset))
  }

  /// A pointer-map page, if it is one of the latest. Older ones are in the file.
  private func mapInMemory(_ map: UInt32) throws -> UnsafeMutableRawPointer? {
    for index in maps.indices.reversed() where maps[index].page == map {
      return maps[index].buffer.bytes
    }
    if let latest = maps.last, map < latest.page { return nil }
    let buffer = PageBuffer(byteCount: geometry.pageBytes)
    // The last one of the file that SQLite made has entries already.
    if map < runStart { try read(map, into: buffer) }
    maps.append((map, buffer))
    if maps.count > Self.mapsInMemory {
      let oldest = maps.removeFirst()
      try put(oldest.page, oldest.buffer.bytes)
    }
    return buffer.bytes
  }

  /// Changes an entry of a pointer-map page that was in the file before.
  private func setWaitingPointer(
    in map: UInt32, at offset: Int, _ kind: Kind, from parent: UInt32
  ) throws {
    let entry = PageBuffer(byteCount: 5)
    entry.bytes.storeBytes(of: kind.rawValue, as: UInt8.self)
    entry.bytes.setBigUInt32(parent, at: 1)
    if waiting?[map] == nil {
      // Pages whose entry stays as it is need no memory.
      let found = PageBuffer(byteCount: 5)
      _ = try file.read(
        into: UnsafeMutableRawBufferPointer(start: found.bytes, count: found.byteCount),
        at: geometry.offset(of: map) + Int64(offset))
      if found.contents.elementsEqual(entry.contents) { return }
      let buffer = PageBuffer(byteCount: geometry.pageBytes)
      try read(map, into: buffer)
      waiting?[map] = buffer
    }
    waiting?[map]?.bytes.advanced(by: offset).copyMemory(from: entry.bytes, byteCount: 5)
  }

  // MARK: The end

  /// Drops what was appended. The database is as it was, if its pages were kept.
  package func discard() throws { try file.truncate(to: geometry.offset(of: firstPage)) }

  /// Brings everything into the file and makes it part of the database. The file is not synced.
  ///
  /// - Parameter userVersion: the number that the header gets (`PRAGMA user_version`); `nil` for the one
  ///   that it has.
  package func finish(userVersion: UInt32? = nil) throws {
    for map in maps { try put(map.page, map.buffer.bytes) }
    try writeRun()
    for (page, buffer) in waiting ?? [:] {
      try file.write(buffer.contents, at: geometry.offset(of: page))
    }
    // What is reserved and not used is given back.
    if hasReserved { try file.truncate(to: geometry.offset(of: nextPage)) }
    // A file does not end with a page that tells about none, nor with the lock page.
    try FileHeader.update(file, pageCount: nextPage - 1, userVersion: userVersion)
  }
}
