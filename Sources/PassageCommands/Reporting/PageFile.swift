internal import Passage
internal import PassageFiles
internal import PassageReports

/// The file of a page. It replaces nothing but an earlier page.
struct PageFile {
  let path: String
  private let files: FileSystem

  init(_ path: String, files: FileSystem = FileSystem()) {
    self.path = path
    self.files = files
  }

  /// Refuses a file that cannot be written or would replace something else, before any work.
  ///
  /// - Parameter stores: the stores that the call reads and makes, as far as they are known.
  /// - Throws: ``MigrationError`` with `CMD-050`, `CMD-051` or `CMD-052`.
  func check(stores: [String]) throws(MigrationError) {
    guard let mistake = mistake(stores) else { return }
    throw MigrationError(.wrongCall, mistake, diskState: "nothing was written")
  }

  private func mistake(_ stores: [String]) -> Diagnostic? {
    let name = path.split(separator: "/").last ?? ""
    guard [".html", ".htm"].contains(where: { name.lowercased().hasSuffix($0) }) else {
      return Diagnostic(
        "CMD-050", "--report does not name an HTML file", at: SourceLocation(file: path),
        remedy: "end its name with .html")
    }
    let folder = FileSystem.folder(of: path)
    let reason: String? =
      !files.isDirectory(folder)
      ? "the folder \(folder) does not exist"
      : !FileSystem.isWritable(folder)
        ? "the folder \(folder) cannot be written"
        : files.isDirectory(path) ? "it is a folder" : nil
    if let reason {
      return Diagnostic(
        "CMD-051", "the report cannot be written there", at: SourceLocation(file: path),
        reason: reason, remedy: "name a file in a folder that exists")
    }
    guard let taken = taken(by: stores) else { return nil }
    return Diagnostic(
      "CMD-052", "the report would replace another file", at: SourceLocation(file: path),
      reason: taken, remedy: "name another file")
  }

  /// What the page would replace, as a clause; `nil` for nothing, and for an earlier page.
  private func taken(by stores: [String]) -> String? {
    let page = StoreUnit(path: path)
    for store in stores {
      let unit = StoreUnit(path: store)
      let overlap = Result { () throws(FileSystem.Failure) in
        try StoreOverlap(writing: page, reading: unit, files: files)
      }
      if case .success(nil) = overlap { continue }
      return "it belongs to the store \(store)"
    }
    do throws(FileSystem.Failure) {
      guard try files.exists(path) else { return nil }
      let prefix = try FileSystem.prefix(path, count: MigrationPage.prefixBytes)
      return MigrationPage.isPage(prefix) ? nil : "the file there is not a report"
    } catch {
      return "\(error)"
    }
  }

  /// Writes the page under another name and renames it, so that no half page is ever there.
  ///
  /// - Returns: a warning (`CMD-053`) when that fails: what the page tells of has happened anyway.
  func write(html: String) -> Diagnostic? {
    do {
      let html = CommandContext.input?.naming(in: html, .page) ?? html
      try files.write(Array(html.utf8), to: files.resolved(path), keepsPermissions: true)
      return nil
    } catch {
      return Diagnostic(
        "CMD-053", "the report could not be written", severity: .warning,
        at: SourceLocation(file: path), reason: "\(error)",
        remedy: "the exit status is that of the command; only the page is missing")
    }
  }
}
