internal import PassageDiagnostics
package import PassageEngine
internal import PassageFiles
internal import PassageStores

extension ResultPlaces {
  /// Refuses results that would have one name, results that would be stores of the next run, and a folder
  /// that does not exist.
  ///
  /// - Parameter list: the stores of the whole list, those of other shards included.
  /// - Throws: ``MigrationError`` with `FLT-007`, `FLT-008`, `RUN-003`.
  package func check(_ list: StoreList) throws(MigrationError) {
    guard case .folder(let folder, let base) = self else { return }
    guard FileSystem().isDirectory(folder) else {
      throw StoreList.refusal(NeededFolder.missing(folder, "the folder for the results"))
    }
    let names = list.names
    var results = StoreNames()
    for index in 0..<names.count {
      guard case .file(let path) = try destination(of: names[index]) else { continue }
      guard Self.parts(path) != Self.parts(names[index]) || path.first != names[index].first else {
        throw Self.isItself(names[index], in: folder)
      }
      results.append(path)
    }
    if let (first, second) = results.firstRepetition() {
      throw StoreList.refusal(
        Diagnostic(
          "FLT-007", "two stores would have the same result",
          at: SourceLocation(file: results[second]),
          reason: "it is that of \(names[first]) and of \(names[second])",
          remedy:
            "keep the folders of the sources: --base, with the folder that is around all stores"))
    }
    try checkLooks(list, results, in: folder)
    if base == nil {
      try checkSupportFolders(names, results)
      // A store in the place of another's result would have the same name, and so the same result.
      for index in 0..<names.count {
        guard let file = File(results[index]), file == File(names[index]) else { continue }
        throw Self.isItself(names[index], in: folder)
      }
    } else {
      try checkStores(names, results, in: folder)
    }
  }

  /// Refuses results of which two would have one folder of external data, if a source of theirs has such data:
  /// an app that uses one would remove files of the other. Where the sources share theirs already, each store
  /// is judged by itself.
  private func checkSupportFolders(
    _ names: StoreNames, _ results: StoreNames
  ) throws(MigrationError) {
    let folders = StoreNames(
      (0..<results.count).lazy.map { StoreUnit(path: results[$0]).supportPath })
    let order = (0..<folders.count).sorted {
      folders.utf8($0).lexicographicallyPrecedes(folders.utf8($1))
    }
    var rest = order[...]
    while let first = rest.first {
      let sharing = rest.prefix { folders.utf8($0).elementsEqual(folders.utf8(first)) }
      rest = rest[sharing.endIndex...]
      guard sharing.count > 1 else { continue }
      let sources = sharing.map { StoreUnit(path: names[$0]) }.filter {
        (try? StoreFile.readHeader(path: $0.path)) != nil
      }
      guard let one = sources.first(where: { FileSystem().isDirectory($0.supportPath) }),
        let other = sources.first(where: { File($0.folder) != File(one.folder) })
      else { continue }
      throw StoreList.refusal(
        Diagnostic(
          "FLT-007", "two results would share a folder of external data",
          at: SourceLocation(file: folders[first]),
          reason: "\(one.path) has such data, and the result of \(other.path) has the same name "
            + "without its extension",
          remedy:
            "keep the folders of the sources: --base, with the folder that is around all stores"))
    }
  }

  /// What a path leads to, however it is spelled.
  struct File: Hashable {
    private let device: UInt64
    private let inode: UInt64

    /// - Returns: `nil` if nothing is there.
    init?(_ path: String) {
      guard let status = try? FileSystem.status(path) else { return nil }
      (device, inode) = (status.device, status.inode)
    }
  }

  private static func isItself(_ store: String, in folder: String) -> MigrationError {
    StoreList.refusal(
      Diagnostic(
        "FLT-007", "a store would have its own place as its result",
        at: SourceLocation(file: store), reason: "the results go to \(folder)",
        remedy: "name another folder, or replace the stores with --in-place"))
  }

  /// Refuses a result whose place a store of the list has: the list has the result of an earlier run.
  private func checkStores(
    _ names: StoreNames, _ results: StoreNames, in folder: String
  ) throws(MigrationError) {
    var there: [File: Int] = [:]
    for index in 0..<results.count {
      if let file = File(results[index]) { there[file] = index }
    }
    if there.isEmpty { return }
    for index in 0..<names.count {
      guard let file = File(names[index]), let result = there[file] else { continue }
      if result == index { throw Self.isItself(names[index], in: folder) }
      throw StoreList.refusal(
        Diagnostic(
          "FLT-007", "a store of the list is in the place of a result",
          at: SourceLocation(file: names[index]),
          reason: "the result of \(names[result]) goes there", remedy: Self.apart))
    }
  }

  /// Refuses a folder in which a pattern of the call looks for stores: the next run would find the
  /// results.
  private func checkLooks(
    _ list: StoreList, _ results: StoreNames, in folder: String
  ) throws(MigrationError) {
    if list.looks.isEmpty { return }
    for index in 0..<results.count {
      // A result is the folder, a slash, and its path there.
      let path = Self.parts(
        String(decoding: results.utf8(index).dropFirst(folder.utf8.count), as: UTF8.self))
      guard let look = list.looks.first(where: { $0.finds(path) }) else { continue }
      let found = look.folder + path.joined(separator: "/")
      throw StoreList.refusal(
        Diagnostic(
          "FLT-007", "the next run would take results for stores",
          at: SourceLocation(file: folder),
          reason: "“\(look.pattern)” finds \(found), the result of \(list.names[index])",
          remedy: Self.apart))
    }
  }

  private static let apart = "name a folder for the results that is apart from the stores"
}
