package import PassageDiagnostics
internal import PassageFiles
internal import PassageStores

/// Removes what is in the folder: only entries with names that Passage gives; no link is followed.
extension WorkFolder {
  /// Removes everything but the lock and the marker.
  package func clear() throws {
    var failure: (any Error)?
    // The mark of a cut-over goes first, because it must not exist without the rest.
    try voidMark()
    let names = try files.entries(of: path).filter {
      ![WorkNames.lock, WorkNames.marker].contains($0)
    }
    for name in names.filter({ $0.hasPrefix(WorkNames.cutOver) }) + names {
      do {
        try remove("\(path)/\(name)", WorkNames.meaning(of: name, in: .work))
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// Removes everything, and the folder too if it contains nothing foreign. The folder must not be
  /// used afterwards. A failure of this clean-up does not undo the work: it is reported as a
  /// warning, and the next run cleans up.
  ///
  /// - Parameter isLight: whether the folder has held nothing that needs its marker: what a power
  ///   failure brings back is not mistaken for something else without it.
  package func end(isLight: Bool = false) -> Diagnostics {
    // A removed file takes its place on the disk until nobody has it open.
    defer { release() }
    if isLight, let found = endLight() { return found }
    var reason: String?
    do {
      try clear()
      let strangers = try files.entries(of: path).filter {
        ![WorkNames.lock, WorkNames.marker].contains($0)
      }
      if let first = strangers.first {
        // What Passage made stays only for what is in it.
        let foreign = try foreign(in: "", .work, depth: 0)
        let stranger = foreign.first ?? first
        let more = foreign.count > 1 ? " and \(foreign.count - 1) more" : ""
        reason = "it contains “\(stranger)”\(more), which Passage did not create"
        // The lock goes, and its marker with it.
        try mark()
      } else {
        // The sync makes sure that a power failure cannot bring entries back without the marker.
        // The marker is removed before the lock: as long as the lock is held, no other process
        // starts work here. A folder that was never marked held nothing that needs the marker.
        if try files.exists("\(path)/\(WorkNames.marker)") {
          try files.synchronizeDirectory(path)
          try files.remove("\(path)/\(WorkNames.marker)")
        }
      }
      try files.remove("\(path)/\(WorkNames.lock)")
      // Another process may have taken over the folder since the lock was removed.
      if reason == nil { try files.removeEmptyDirectory(path) }
    } catch let failure as FileSystem.Failure {
      reason = failure.description
    } catch {
      reason = "\(error)"
    }
    guard let reason else { return Diagnostics() }
    return Diagnostics([
      Diagnostic(
        "RUN-052", "the work folder was not removed", severity: .warning,
        at: SourceLocation(file: path), reason: reason,
        remedy: "run the same command again, or remove the folder")
    ])
  }

  /// The entries of a folder, and of those in it, that Passage gives no such name, or makes of another kind.
  ///
  /// - Parameter folder: its path in the work folder, which ends with “/”; empty for the work folder itself.
  /// - Returns: their paths in the work folder.
  private func foreign(
    in folder: String, _ level: WorkNames.Level, depth: Int
  ) throws -> [String] {
    try files.entries(of: "\(path)/\(folder)").flatMap { name -> [String] in
      let entry = folder + name
      switch (WorkNames.meaning(of: name, in: level), files.entry("\(path)/\(entry)")?.kind) {
      case (nil, _), (.file, .directory): return [entry]
      case (.folder(let inner), .directory) where depth < WorkNames.maximumDepth:
        return try foreign(in: "\(entry)/", inner, depth: depth + 1)
      default: return []
      }
    }
  }

  /// Makes the mark of a cut-over in the lock unreadable. The marker before it stays as long as the lock:
  /// what else is in the folder may need it if the clean-up ends early.
  private func voidMark() throws {
    let lock = "\(path)/\(WorkNames.lock)"
    guard try files.byteCount(lock) > WorkFolderProof.marker.count else { return }
    try files.overwrite([0], in: lock, at: WorkFolderProof.marker.count)
  }

  /// Removes a folder that has only what a cut-over from memory needs.
  ///
  /// - Returns: `nil` when it has something else, or something cannot be removed.
  private func endLight() -> Diagnostics? {
    let own = [WorkNames.cutOver, WorkNames.finished, WorkNames.marker, WorkNames.lock]
    guard let names = try? files.entries(of: path), names.allSatisfy(own.contains) else {
      return nil
    }
    if let spares = files.spareFolders, names == [WorkNames.lock], spares.keep(folder, lock, files)
    {
      return Diagnostics()
    }
    do {
      // The mark of a cut-over goes first, because it must not exist without the rest; the marker
      // before the lock, because no other process starts work here while the lock is held.
      if names.contains(WorkNames.finished) { try voidMark() }
      for name in own where names.contains(name) { try files.remove("\(path)/\(name)") }
      // Another process may have taken over the folder since the lock was removed.
      try files.removeEmptyDirectory(path)
      return Diagnostics()
    } catch {
      return nil
    }
  }

  private func remove(_ entry: String, _ meaning: WorkNames.Meaning?) throws {
    try Self.remove(entry, meaning, files: files)
  }

  /// Removes a file, or a folder with what Passage has put into it. A folder that still contains something
  /// stays.
  ///
  /// - Parameters:
  ///   - meaning: the meaning of the name; nothing is removed if Passage gives no such name.
  ///   - files: relative to the work folder.
  static func remove(
    _ entry: String, _ meaning: WorkNames.Meaning?, files: FileSystem, depth: Int = 0
  ) throws {
    switch (meaning, files.entry(entry)?.kind) {
    case (nil, _), (_, nil), (.file, .directory): break
    case (.folder(let level), .directory):
      guard depth < WorkNames.maximumDepth else { return }
      for name in try files.entries(of: entry) {
        try remove(
          "\(entry)/\(name)", WorkNames.meaning(of: name, in: level), files: files,
          depth: depth + 1)
      }
      try files.removeInnerDirectory(entry)
    default: try files.remove(entry)
    }
  }
}
