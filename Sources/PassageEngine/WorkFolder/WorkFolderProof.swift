internal import PassageFiles
internal import PassageDiagnostics
internal import PassageStores

/// What proves that an open folder is one that Passage made to work in.
struct WorkFolderProof {
  let path: String
  /// Anchored at the folder.
  private let files: FileSystem
  private let folder: OpenFolder

  /// What a folder that may be worked in is.
  enum State {
    case marked
    /// One that was just made, or whose owner was killed before it was marked: it holds nothing.
    case unmarked
  }

  /// What the marker says. A copy of the folder is as good as the folder: nothing in it is followed
  /// anywhere, and work is continued for the very same source alone.
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

  /// Why a folder does not keep others out; `nil` when it does.
  static func protection(of folder: OpenFolder) -> String? {
    if folder.owner != FileSystem.user {
      return "it belongs to user \(folder.owner), and this process acts as user \(FileSystem.user)"
    }
    if folder.permissions & 0o022 != 0 {
      return "other users may write in it (mode \(String(folder.permissions, radix: 8)))"
    }
    return nil
  }

  /// Looks whether the folder is ours.
  ///
  /// - Throws: ``MigrationError`` with `RUN-050`.
  func state() throws -> State {
    // Another process may remove its work, or begin, between two looks: the marker is the first
    // thing in the folder and the last.
    for _ in 0..<5 {
      let names = try files.entries(of: path)
      if files.contents(markerPath, limit: 4_096) == Self.marker {
        try checkEntries(names, of: path, level: .work)
        return .marked
      }
      if isAbandoned(names) { return .unmarked }
      files.pause()
    }
    let found = try files.exists(markerPath) ? "says something else" : "is not in it"
    throw Self.refusal(
      path, reason: "the file “\(WorkNames.marker)”, by which Passage knows its own, \(found)")
  }

  /// Marks the folder when it is not, and makes marker and folder durable, names included: what a run
  /// leaves in it is depended on after a power failure.
  func mark() throws {
    guard files.contents(markerPath, limit: 4_096) != Self.marker else { return }
    try files.writeInPlace(Self.marker, to: markerPath)
    try files.synchronizeDirectory(path)
    try files.synchronizeDirectory(StoreUnit(path: path).folder)
  }

  /// Whether nothing is in the folder but what a run leaves that is killed between making the folder
  /// and marking it, or between removing the mark and the folder: no more than the beginning of a
  /// marker, and a lock. There is nothing to lose in it, and it is as private as one that we make.
  private func isAbandoned(_ names: [String]) -> Bool {
    guard folder.permissions == 0o700 else { return false }
    return names.allSatisfy { name in
      // Another process has just taken it away.
      guard let entry = files.entry("\(path)/\(name)") else { return true }
      guard entry.kind == .file, entry.owner == FileSystem.user else { return false }
      if name == WorkNames.lock { return entry.bytes == 0 }
      // A power failure may leave zeros.
      return name == WorkNames.marker && entry.bytes <= Self.marker.count
        && files.contents("\(path)/\(name)", limit: 4_096).map { bytes in
          Self.marker.starts(with: bytes) || bytes.allSatisfy { $0 == 0 }
        } == true
    }
  }

  /// What has a name that Passage uses must be what Passage makes under that name.
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
      case .folder(let inner):
        guard entry.kind == .directory else {
          throw Self.refusal(path, reason: "“\(shown)” in it is a \(entry.kind.rawValue)")
        }
        // External data is removed and created from scratch, and links in it are never followed.
        guard inner == .step else { continue }
        let entries = try files.entries(of: "\(folder)/\(name)")
        try checkEntries(entries, of: "\(folder)/\(name)", level: inner)
      }
    }
  }

  /// The one refusal of a folder that is not ours. Moving it away loses nothing.
  static func refusal(_ path: String, reason: String) -> MigrationError {
    MigrationError(
      .wrongCall,
      Diagnostic(
        "RUN-050",
        "the work would be done at a path that holds something that is not Passage's own",
        at: SourceLocation(file: path), reason: reason,
        remedy: "move it away, then run the same command again: "
          + "mv -- \(path.shellQuoted) \((path + ".moved").shellQuoted)"),
      diskState: "nothing was changed")
  }
}
