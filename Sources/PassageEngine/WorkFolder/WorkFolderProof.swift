internal import PassageDiagnostics
internal import PassageFiles
internal import PassageStores

/// Checks that prove that an open folder is one that Passage made.
struct WorkFolderProof {
  let path: String
  /// Relative to the folder.
  private let files: FileSystem
  private let folder: OpenFolder

  /// The state of a folder that may be used.
  enum State {
    case marked
    /// Just created, used without a mark, or its owner was killed before it was marked: nothing in
    /// it can be lost.
    case unmarked
  }

  /// The contents of the marker. A copy of the folder is as good as the original: no path in it is
  /// followed, and work is continued only for the very same source.
  static let marker = Array(
    """
    Passage 1
    Passage works in this folder, and takes it away when it has finished. Work of a run that was stopped
    is in it: the same command goes on with it. Without a run under way the folder may be removed.

    """.utf8)

  init(path: String, files: FileSystem, folder: OpenFolder) {
    self.path = path
    self.files = files.anchored(at: folder)
    self.folder = folder
  }

  private var markerPath: String { "\(path)/\(WorkNames.marker)" }
  private var lockPath: String { "\(path)/\(WorkNames.lock)" }

  /// Whether there is a marker, whatever it says, or the lock begins with one.
  var hasMarker: Bool { get throws { try files.exists(markerPath) || lockIsMarked } }

  /// Whether nothing but a lock is in the folder.
  var holdsOnlyLock: Bool { get throws { try files.entries(of: path) == [WorkNames.lock] } }

  /// Whether the lock begins with the marker, as it does from the cut-over of a run that worked in
  /// memory on: see ``lockContents(_:)``.
  private var lockIsMarked: Bool {
    (try? files.prefix(lockPath, count: Self.marker.count)) == Self.marker
  }

  /// What the lock of a run that worked in memory holds from its cut-over on: the marker, and the mark
  /// of the cut-over behind it. So the folder has one file less to make and to take away.
  ///
  /// - Parameter count: how many bytes there are at least: blanks behind the mark say nothing.
  static func lockContents(_ mark: [UInt8], count: Int = 0) -> [UInt8] {
    let contents = marker + mark
    return contents + [UInt8](repeating: 0x20, count: max(0, count - contents.count))
  }

  /// The mark of a cut-over in a lock; `nil` when the lock has none.
  static func mark(inLock contents: [UInt8]) -> [UInt8]? {
    guard contents.count > marker.count, contents.starts(with: marker) else { return nil }
    return Array(contents[marker.count...])
  }

  /// Why a folder does not keep other users out; `nil` when it does.
  static func protection(of folder: OpenFolder) -> String? {
    if folder.owner != FileSystem.user {
      return "it belongs to user \(folder.owner), but this process runs as user \(FileSystem.user)"
    }
    if folder.permissions & 0o022 != 0 {
      return "other users can write to it (mode \(String(folder.permissions, radix: 8)))"
    }
    return nil
  }

  /// Checks whether the folder is Passage's.
  ///
  /// - Throws: ``MigrationError`` with `RUN-050` when it is not.
  func state() throws -> State {
    // Another process may start or remove its work between two attempts; the marker is the first
    // entry that is created in the folder and the last one that is removed.
    for _ in 0..<5 {
      let names = try files.entries(of: path)
      if names.isEmpty, folder.permissions == 0o700 { return .unmarked }
      // A file of the marker's name that is none is not written over.
      let isForeign = names.contains(WorkNames.marker) && !isTornMarker(markerPath)
      if files.contents(markerPath, limit: 4_096) == Self.marker || !isForeign && lockIsMarked {
        try checkEntries(names, of: path, level: .work)
        return .marked
      }
      if isAbandoned(names) { return .unmarked }
      files.pause()
    }
    let isThere = try files.exists(markerPath)
    if isThere { try checkReadable(markerPath) }
    let found = isThere ? "has other contents" : "is missing"
    throw Self.refusal(
      path,
      reason: "the file “\(WorkNames.marker)”, which marks a folder as Passage's own, "
        + "\(found)")
  }

  /// Throws the failure of a system that cannot read a file, which says nothing of who made it.
  private func checkReadable(_ path: String) throws {
    do {
      _ = try files.prefix(path, count: Self.marker.count)
    } catch let failure as FileSystem.Failure where failure.isOfSystem {
      throw failure
    } catch {}
  }

  /// Marks the folder if it is not marked, and makes the marker and the folder durable, including
  /// their names: later runs rely on them after a power failure.
  func mark() throws {
    guard files.contents(markerPath, limit: 4_096) != Self.marker else { return }
    try files.writeInPlace(Self.marker, to: markerPath)
    try files.synchronizeDirectory(path)
    try files.synchronizeDirectory(StoreUnit(path: path).folder)
  }

  /// Whether the folder contains nothing but what remains of a run that was killed between creating
  /// the folder and marking it, or between removing the marker and the folder, or that worked in
  /// memory: at most a lock, the beginning of a marker, a finished store that has not replaced the
  /// old one, and the mark of a cut-over that a power failure prevented, or brought back after it was
  /// removed. Nothing in it can be lost, and it is as private as a new folder.
  private func isAbandoned(_ names: [String]) -> Bool {
    guard folder.permissions == 0o700 else { return false }
    return names.allSatisfy { name in
      // Another process has just removed the entry.
      guard let entry = files.entry("\(path)/\(name)") else { return true }
      guard entry.kind == .file, entry.owner == FileSystem.user,
        entry.links <= 1 || !WorkNames.isWrittenInto(name, in: .work)
      else { return false }
      if name == WorkNames.lock { return entry.bytes == 0 || isTornMarker("\(path)/\(name)") }
      if name == WorkNames.finished { return isFinishedStore("\(path)/\(name)") }
      if name == WorkNames.cutOver { return isCutOverMark("\(path)/\(name)") }
      return name == WorkNames.marker && entry.bytes <= Self.marker.count
        && isTornMarker("\(path)/\(name)")
    }
  }

  /// Whether a file begins as a marker does, as far as a power failure has left it: it may leave zeros.
  private func isTornMarker(_ path: String) -> Bool {
    guard let bytes = try? files.prefix(path, count: Self.marker.count) else { return false }
    return Self.marker.starts(with: bytes) || bytes.allSatisfy { $0 == 0 }
  }

  /// Whether a file can be the finished store of a run that worked in memory. A power failure may
  /// leave any part of it, or zeros.
  private func isFinishedStore(_ path: String) -> Bool {
    guard let bytes = try? files.prefix(path, count: DatabaseHeader.magic.count) else {
      return false
    }
    return bytes.allSatisfy { $0 == 0 } || DatabaseHeader.magic.starts(with: bytes)
  }

  /// Whether a file can be the mark of a cut-over, or what a power failure left of it.
  private func isCutOverMark(_ path: String) -> Bool {
    guard let bytes = try? files.prefix(path, count: 2) else { return false }
    return bytes.allSatisfy { $0 == 0 } || Array("{\"".utf8).starts(with: bytes)
  }

  /// An entry with a name that Passage uses must be of the kind that Passage creates under that
  /// name, and have no other name if it is written into.
  private func checkEntries(
    _ names: [String], of folder: String, level: WorkNames.Level
  ) throws {
    for name in names {
      guard let meaning = WorkNames.meaning(of: name, in: level),
        let entry = files.entry("\(folder)/\(name)")
      else { continue }
      let shown = String("\(folder)/\(name)".dropFirst(path.count + 1))
      guard entry.owner == FileSystem.user else {
        throw Self.refusal(path, reason: "“\(shown)” in it belongs to user \(entry.owner)")
      }
      switch meaning {
      case .file:
        guard entry.kind == .file else {
          throw Self.refusal(path, reason: "“\(shown)” in it is a \(entry.kind.rawValue)")
        }
        // What is written into it would change the file of the other name, such as a store. Work on a step is
        // discarded instead: a power failure may leave its store under two names.
        guard level == .step || entry.links <= 1 || !WorkNames.isWrittenInto(name, in: level)
        else {
          throw Self.refusal(path, reason: "“\(shown)” in it is a file that has another name, too")
        }
      case .folder(let inner):
        guard entry.kind == .directory else {
          throw Self.refusal(path, reason: "“\(shown)” in it is a \(entry.kind.rawValue)")
        }
        // External data is removed and copied again, and links in it are never followed.
        guard inner == .step else { continue }
        let entries = try files.entries(of: "\(folder)/\(name)")
        try checkEntries(entries, of: "\(folder)/\(name)", level: inner)
      }
    }
  }

  /// The refusal of a folder that is not Passage's. Moving it away loses nothing.
  static func refusal(_ path: String, reason: String) -> MigrationError {
    MigrationError(
      .wrongCall,
      Diagnostic(
        "RUN-050",
        "something that Passage did not create has the path of the work folder",
        at: SourceLocation(file: path), reason: reason,
        remedy: "move it away, then run the same command again: "
          + "mv -- \(path.shellQuoted) \((path + ".moved").shellQuoted)"),
      diskState: "nothing was changed")
  }
}
