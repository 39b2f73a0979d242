package import PassageFiles
internal import PassagePlatform

/// The part of a store being read that writing to a destination would touch.
///
/// Paths are compared by the files they lead to, whether they contain links or are relative, and by
/// the folder's own rules for upper and lower case. A name that does not exist yet is identified by
/// its folder and the name.
package struct StoreOverlap: Sendable, Hashable {
  /// The part of the store that the destination overlaps.
  package enum Part: Sendable, Hashable {
    case store
    case log
    case index
    case journal
    case externalData
    case work
  }

  package let part: Part
  /// The path of that part.
  package let path: String
  /// The path of the destination that overlaps it: the destination itself, or a file created or
  /// removed beside it.
  package let written: String

  /// Finds the first overlap; `nil` if writing the destination does not touch the store.
  ///
  /// A folder of external data used by both is not an overlap: files of equal contents may share
  /// it.
  package init?(
    writing destination: StoreUnit, reading source: StoreUnit, files: FileSystem
  ) throws(FileSystem.Failure) {
    let ignoresCase = try files.ignoresCase(beside: source.path)
    let places = PlaceFinder(files: files, ignoresCase: ignoresCase)
    let parts: [(Part, String, isFolder: Bool)] = [
      (.store, source.path, false), (.log, source.walPath, false),
      (.index, source.sharedMemoryPath, false), (.journal, source.journalPath, false),
      (.externalData, source.supportPath, true), (.work, source.path + ".passage", true),
    ]
    let written: [(path: String, isFolder: Bool)] =
      ([destination.path] + destination.sidecarPaths).map { ($0, false) }
      + [(destination.path + ".passage", true), (destination.supportPath, true)]
    var writtenPlaces: [Place] = []
    for other in written { writtenPlaces.append(try places.place(other.path)) }
    for (part, path, isFolder) in parts {
      let taken = try places.place(path)
      for (other, reached) in zip(written, writtenPlaces) {
        let isMet =
          isFolder && other.isFolder && part == .externalData
            && other.path == destination.supportPath
          ? taken.isBelow(reached) || reached.isBelow(taken)
          : taken == reached || isFolder && reached.isBelow(taken)
            || other.isFolder && taken.isBelow(reached)
        guard isMet else { continue }
        self.part = part
        self.path = path
        self.written = other.path
        return
      }
    }
    return nil
  }

  /// Whether a path is inside a folder, or is the folder itself.
  package static func isInside(
    _ path: String, folder: String, files: FileSystem
  ) throws(FileSystem.Failure) -> Bool {
    let ignoresCase = try files.ignoresCase(beside: path)
    let places = PlaceFinder(files: files, ignoresCase: ignoresCase)
    let (place, outer) = try (places.place(path), places.place(folder))
    return place == outer || place.isBelow(outer)
  }
}

/// Finds places, and asks the system only once about each folder on the way.
///
/// Paths are known by their bytes: names that differ only in how an accent is written may be two files.
private final class PlaceFinder {
  let ignoresCase: Bool
  private let files: FileSystem
  private var identities: [[UInt8]: [UInt64]?] = [:]
  private var folders: [[UInt8]: String] = [:]

  init(files: FileSystem, ignoresCase: Bool) {
    self.files = files
    self.ignoresCase = ignoresCase
  }

  func place(_ path: String) throws(FileSystem.Failure) -> Place { try Place(path, self) }

  /// The path as `FileSystem.canonical(_:)` gives it.
  func canonical(_ path: String) -> String {
    let unit = StoreUnit(path: path)
    guard !["", ".", ".."].contains(unit.name) else { return files.canonical(path) }
    // What is found here need not be asked for once more; another error is the identity's.
    var identity: [UInt64]??
    do {
      let entry = try files.found(path)
      guard entry.kind != .link else { return files.canonical(path) }
      identity = .some(entry.identity)
    } catch {
      if error.isNothingThere { identity = .some(nil) }
    }
    let given = Array(unit.folder.utf8)
    let folder = folders[given] ?? files.canonical(unit.folder)
    folders[given] = folder
    let canonical = folder == "/" ? folder + unit.name : "\(folder)/\(unit.name)"
    if let identity { identities[Array(canonical.utf8)] = .some(identity) }
    return canonical
  }

  func identity(_ path: String) throws(FileSystem.Failure) -> [UInt64]? {
    let bytes = Array(path.utf8)
    if let known = identities[bytes] { return known }
    let identity = try files.identity(path)
    identities[bytes] = .some(identity)
    return identity
  }
}

/// Where a path leads: the path itself and every folder it is in, the outermost last.
private struct Place: Equatable {
  /// An existing file by its identity; a name that does not exist yet by the folder it would be in.
  private enum Key: Hashable {
    case found(device: UInt64, inode: UInt64)
    case missing(folder: [UInt64], names: [UInt8])
    /// The same where case is ignored, and with it how an accent is written.
    case missingInAnyCase(folder: [UInt64], names: String)
  }

  private let keys: [Key]

  init(_ path: String, _ finder: PlaceFinder) throws(FileSystem.Failure) {
    let ignoresCase = finder.ignoresCase
    var keys: [Key] = []
    var missing: [String] = []
    var rest = finder.canonical(path)
    // From the path outwards: first the part that does not exist, then the part that does.
    while true {
      if let identity = try finder.identity(rest) {
        for depth in missing.indices {
          let names = missing[depth...].reversed().joined(separator: "/")
          keys.append(
            ignoresCase
              ? .missingInAnyCase(folder: identity, names: names.lowercased())
              : .missing(folder: identity, names: Array(names.utf8)))
        }
        break
      }
      let unit = StoreUnit(path: rest)
      missing.append(unit.name)
      guard unit.folder != rest, !rest.isEmpty else { break }
      rest = unit.folder
    }
    while let identity = try finder.identity(rest) {
      keys.append(.found(device: identity[0], inode: identity[1]))
      guard rest != "/" else { break }
      rest = StoreUnit(path: rest).folder
    }
    self.keys = keys
  }

  static func == (first: Place, second: Place) -> Bool {
    first.keys.first != nil && first.keys.first == second.keys.first
  }

  func isBelow(_ folder: Place) -> Bool {
    folder.keys.first.map { keys.dropFirst().contains($0) } ?? false
  }
}

extension FileSystem {
  /// The absolute path with every link followed as far as it exists, and `.` and `..` removed from
  /// the rest. `realpath(3)`. A path that is longer than the system allows leads nowhere, and stays as it is.
  package func canonical(_ path: String) -> String {
    guard path.utf8.count <= Self.maximumPathBytes else { return path }
    var rest: [String] = []
    var head = path.isEmpty ? "." : path
    while true {
      let found = resolved(head)
      if found.hasPrefix("/"), found != head || entry(head) != nil {
        var parts = found.split(separator: "/").map(String.init)
        for name in rest.reversed() where name != "." && !name.isEmpty {
          if name == ".." { _ = parts.popLast() } else { parts.append(name) }
        }
        return "/" + parts.joined(separator: "/")
      }
      head = head.withoutTrailingSlashes
      let unit = StoreUnit(path: head)
      rest.append(unit.name)
      guard unit.folder != head else { return path }
      head = unit.folder
    }
  }

  /// Whether the folder of a file ignores case in names.
  package func ignoresCase(beside path: String) throws(Failure) -> Bool {
    let unit = StoreUnit(path: path)
    let (upper, lower) = (unit.name.uppercased(), unit.name.lowercased())
    let other = upper == unit.name ? lower : upper
    guard other != unit.name, let found = try identity(path) else { return false }
    return try identity("\(unit.folder)/\(other)") == found && !hasName(other, in: unit.folder)
  }

  /// Whether a folder lists a name with exactly this case.
  private func hasName(_ name: String, in folder: String) -> Bool {
    (try? names(in: folder))?.contains(name) ?? true
  }
}
