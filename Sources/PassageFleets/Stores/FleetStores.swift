package import PassageDiagnostics
package import PassageEngine
internal import PassageFiles
internal import PassageStores

/// The stores of a list that a run is to migrate, in their order, as they were found before anything
/// was written.
package struct FleetStores: Sendable {
  package let names: StoreNames
  /// The positions of the stores in the list, in the order in which they are migrated.
  package private(set) var order: [Int32] = []
  /// How many stores come first, all of which must be well.
  package var canaryCount = 0
  /// The bytes of all main files.
  package private(set) var totalBytes: Int64 = 0
  /// Names at which nothing is, or a folder.
  package private(set) var missingCount = 0
  package private(set) var folderCount = 0
  /// The size of the main file at each position of the list; 0 for those of other shards.
  private var bytes: [Int64]

  /// Looks at each store of a shard.
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - shard: the shard; `nil` for all.
  ///   - areFiles: whether the names are paths; names of anything else are not looked at.
  ///   - mayAllBeMissing: whether nothing may be there at all.
  ///   - keptStoresFolder: where the run keeps old stores; `nil` if that is beside each store, or nowhere.
  /// - Throws: ``MigrationError`` with `FLT-004` for two names of one file, `FLT-005` for the work of
  ///   other runs, `FLT-006` if nothing of the list is there at all, in whatever shard.
  package init(
    _ list: StoreList, shard: Shard?, areFiles: Bool = true, mayAllBeMissing: Bool = false,
    keptStoresFolder: String? = nil
  ) throws(MigrationError) {
    names = list.names
    bytes = Array(repeating: 0, count: names.count)
    var found: [(position: Int32, device: UInt64, file: UInt64)] = []
    for index in 0..<names.count where shard?.contains(names.utf8(index)) ?? true {
      let position = Int32(index)
      order.append(position)
      guard areFiles else { continue }
      guard let status = try? FileSystem.status(names[index]) else {
        missingCount += 1
        continue
      }
      if status.kind == .directory { folderCount += 1 }
      bytes[index] = status.kind == .file ? max(0, status.bytes) : 0
      totalBytes = totalBytes.addingReportingOverflow(bytes[index]).partialValue
      found.append((position, status.device, status.inode))
    }
    guard areFiles else { return }
    try checkWork(keptStoresFolder)
    if !mayAllBeMissing, !order.isEmpty, missingCount == order.count, isNothingThere {
      throw allMissing
    }
    try checkFiles(found)
  }

  /// Keeps only some of the stores.
  package mutating func keep(_ isKept: (_ name: String) -> Bool) {
    order.removeAll { !isKept(names[Int($0)]) }
    totalBytes = order.reduce(0) { $0.addingReportingOverflow(bytes[Int($1)]).partialValue }
  }

  package mutating func apply(_ order: FleetOrder) {
    order.apply(to: &self.order) { bytes[Int($0)] }
  }

  package var count: Int { order.count }

  /// The name of the store that comes at a place of the order.
  package func name(at place: Int) -> String { names[Int(order[place])] }

  /// The size of its main file when the list was read.
  package func bytes(at place: Int) -> Int64 { bytes[Int(order[place])] }

  /// What the list has that cannot be migrated, as a warning: the stores count as failed.
  package var warnings: Diagnostics {
    var parts: [String] = []
    if missingCount > 0 {
      parts.append("nothing is at \(missingCount) of \(order.count) paths")
    }
    if folderCount > 0 { parts.append("\(folderCount) of \(order.count) are folders") }
    guard !parts.isEmpty else { return Diagnostics() }
    return Diagnostics([
      Diagnostic(
        "FLT-009", "not every name of the list is a store", severity: .warning,
        reason: parts.joined(separator: ", "),
        remedy: "they count as failed; the ledger names them")
    ])
  }

  // MARK: Checks

  /// - Parameter folder: where the run keeps old stores, if not beside each store.
  private func checkWork(_ folder: String?) throws(MigrationError) {
    var kept = folder.flatMap { keptStores(in: $0) }
    var first: (path: String, meaning: String)?
    var count = 0
    for place in order {
      let path = names[Int(place)]
      let isKept = kept?.contains(path) == true
      guard
        let meaning = Self.work(at: path)?.meaning
          ?? (isKept ? "it is in the folder for kept stores, \(folder ?? "")" : nil)
      else { continue }
      count += 1
      if first == nil { first = (path, meaning) }
    }
    guard let first else { return }
    throw StoreList.refusal(
      Diagnostic(
        "FLT-005",
        count == 1
          ? "the list has a file that is not a store of its own"
          : "the list has \(count) files that are not stores of their own",
        at: SourceLocation(file: first.path), reason: first.meaning,
        remedy: "name only the stores, for instance with a pattern that ends as their names do"
          + (kept == nil ? "" : ", and keep old ones in a folder apart from them (--backup-dir)")))
  }

  /// The folder in which old stores are kept, if it is apart from the stores.
  ///
  /// - Returns: `nil` if all stores of the list, those of other shards included, are in it or below it.
  private func keptStores(in folder: String) -> FolderMembers? {
    var members = FolderMembers(of: folder)
    for index in 0..<names.count where !members.contains(names[index]) { return members }
    return nil
  }

  /// What a name or, for a link, the name of the file to which it leads says of work.
  private static func work(at path: String) -> WorkName? {
    if let work = WorkName(path) { return work }
    let files = FileSystem()
    guard files.entry(path)?.kind == .link else { return nil }
    return WorkName.ofKept(StoreUnit(path: files.resolved(path)))
  }

  private func checkFiles(
    _ found: [(position: Int32, device: UInt64, file: UInt64)]
  ) throws(MigrationError) {
    let pair = StoreNames.firstRepetition(found.count) {
      (found[$0].device, found[$0].file) < (found[$1].device, found[$1].file)
    }
    guard let pair else { return }
    let (first, second) = (found[pair.first].position, found[pair.second].position)
    throw StoreList.refusal(
      Diagnostic(
        "FLT-004", "two names of the list are the same file",
        at: SourceLocation(file: names[Int(second)]),
        reason:
          "“\(names[Int(first)])” and “\(names[Int(second)])” lead to it, by a link or by another "
          + "spelling",
        remedy: "name each store once"))
  }

  /// Whether nothing is at any path of the list, those of other shards included.
  private var isNothingThere: Bool {
    !(0..<names.count).contains { (try? FileSystem.status(names[$0])) != nil }
  }

  private var allMissing: MigrationError {
    StoreList.refusal(
      Diagnostic(
        "FLT-006", "none of the stores of the list exists", at: SourceLocation(file: names[0]),
        reason: names.count == 1
          ? "nothing is at the path" : "nothing is at any of the \(names.count) paths",
        remedy: "check the list, and the folder in which the call is made"))
  }
}
