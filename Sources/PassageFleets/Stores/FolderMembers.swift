internal import PassageFiles
internal import PassageStores

/// Tells which stores are in a folder or below it, by whatever links or spellings. The system is asked only
/// once about each folder on the way.
struct FolderMembers {
  private let identity: [UInt64]?
  private let files = FileSystem()
  /// By bytes: names that differ only in how an accent is written may be two folders.
  private var known: [[UInt8]: Bool] = [:]

  init(of folder: String) { identity = try? files.identity(folder) }

  mutating func contains(_ store: String) -> Bool {
    if identity == nil { return false }
    let isLink = files.entry(store)?.kind == .link
    let folder = FileSystem.folder(of: isLink ? files.resolved(store) : store)
    let key = Array(folder.utf8)
    if let known = known[key] { return known }
    let isMember = isInside(files.canonical(folder))
    known[key] = isMember
    return isMember
  }

  /// - Parameter folder: as the system finds it, without links.
  private mutating func isInside(_ folder: String) -> Bool {
    let key = Array(folder.utf8)
    if let known = known[key] { return known }
    var isMember = (try? files.identity(folder)) == identity
    let around = FileSystem.folder(of: folder)
    if !isMember, around != folder { isMember = isInside(around) }
    known[key] = isMember
    return isMember
  }
}
