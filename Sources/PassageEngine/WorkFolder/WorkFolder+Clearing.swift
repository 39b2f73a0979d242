internal import PassageFiles
package import PassageDiagnostics
internal import PassageStores

/// Taking away what is in the folder: only what has a name that Passage gives, and no link is followed.
extension WorkFolder {
  /// Throws everything away but lock and marker.
  package func clear() throws {
    var failure: (any Error)?
    // The mark of a cut-over first: without the rest it must not be found.
    let names = try files.entries(of: path).filter {
      ![WorkNames.lock, WorkNames.marker].contains($0)
    }
    for name in names.filter({ $0.hasPrefix("cut-over") }) + names {
      do {
        try remove("\(path)/\(name)", WorkNames.meaning(of: name, in: .work))
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// Removes everything, and the folder too when nothing foreign is in it. Nothing may be done in it
  /// afterwards. A failure to clean up takes nothing back from what was done: it is reported as a warning,
  /// and the next run cleans up.
  package func end() -> Diagnostics {
    var reason: String?
    do {
      try clear()
      let strangers = try files.entries(of: path).filter {
        ![WorkNames.lock, WorkNames.marker].contains($0)
      }
      if let stranger = strangers.first {
        let more = strangers.count > 1 ? " and \(strangers.count - 1) more" : ""
        reason = "“\(stranger)”\(more) in it is not Passage's, and is left alone"
      } else {
        // A power failure must not bring anything back without the marker that says whose it is. The
        // marker goes before the lock: as long as the lock is held nobody else begins here.
        try files.synchronizeDirectory(path)
        try files.remove("\(path)/\(WorkNames.marker)")
      }
      try files.remove("\(path)/\(WorkNames.lock)")
      // Another process may have made the folder its own since the lock is gone.
      if reason == nil { try files.removeEmptyDirectory(path) }
    } catch let failure as FileSystem.Failure {
      reason = failure.description
    } catch {
      reason = "\(error)"
    }
    guard let reason else { return Diagnostics() }
    return Diagnostics([
      Diagnostic(
        "RUN-052", "the work folder is left", severity: .warning,
        at: SourceLocation(file: path), reason: reason,
        remedy: "run the same command again, or remove the folder")
    ])
  }

  /// Removes a file or a folder with what is in it.
  ///
  /// - Parameter meaning: what the name stands for; nothing happens when it is none of ours.
  private func remove(_ entry: String, _ meaning: WorkNames.Meaning?) throws {
    switch (meaning, files.entry(entry)?.kind) {
    case (nil, _), (_, nil), (.file, .directory): break
    case (.folder(.everything), .directory): try files.removeDirectory(entry)
    case (.folder(let level), .directory):
      for name in try files.entries(of: entry) {
        try remove("\(entry)/\(name)", WorkNames.meaning(of: name, in: level))
      }
      try files.removeInnerDirectory(entry)
    default: try files.remove(entry)
    }
  }
}
