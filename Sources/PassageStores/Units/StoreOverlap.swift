package import PassageFiles

/// What of a store that is only read would be touched by writing to a destination.
///
/// Paths are compared by what they lead to: through links, relative or absolute, in whatever folder
/// they are distinguished from. A name that does not exist yet is one with its folder's identity.
package struct StoreOverlap: Sendable, Hashable {
  /// The part of the store that the destination meets.
  package enum Part: Sendable, Hashable {
    case store
    case log
    case index
    case journal
    case externalData
    case work
  }

  package let part: Part
  /// Where that part is.
  package let path: String
  /// What of the destination meets it: itself, or what is made or removed beside it.
  package let written: String

  /// Finds the first; `nil` when writing the destination leaves the store alone.
  ///
  /// One folder of external data for both is not looked for here: files of equal contents may share it.
  package init?(
    writing destination: StoreUnit, reading source: StoreUnit, files: FileSystem
  ) throws(FileSystem.Failure) {
    let ignoresCase = try files.ignoresCase(beside: source.path)
    func place(_ path: String) throws(FileSystem.Failure) -> Place {
      try Place(path, files: files, ignoresCase: ignoresCase)
    }
    let parts: [(Part, String, isFolder: Bool)] = [
      (.store, source.path, false), (.log, source.walPath, false),
      (.index, source.sharedMemoryPath, false), (.journal, source.journalPath, false),
      (.externalData, source.supportPath, true), (.work, source.path + ".passage", true),
    ]
    let written: [(path: String, isFolder: Bool)] =
      ([destination.path] + destination.sidecarPaths).map { ($0, false) }
      + [(destination.path + ".passage", true), (destination.supportPath, true)]
    for (part, path, isFolder) in parts {
      let taken = try place(path)
      for other in written {
        let reached = try place(other.path)
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

  /// Whether a path is in a folder, or the folder itself.
  package static func isInside(
    _ path: String, folder: String, files: FileSystem
  ) throws(FileSystem.Failure) -> Bool {
    let ignoresCase = try files.ignoresCase(beside: path)
    let place = try Place(path, files: files, ignoresCase: ignoresCase)
    let outer = try Place(folder, files: files, ignoresCase: ignoresCase)
    return place == outer || place.isBelow(outer)
  }
}

/// Where a path leads: itself and every folder it is in, outermost last.
private struct Place: Equatable {
  /// A file by its identity, or a name that does not exist yet by the folder it would be in.
  private enum Key: Hashable {
    case found(device: UInt64, inode: UInt64)
    case missing(folder: [UInt64], names: String)
  }

  private let keys: [Key]

  init(_ path: String, files: FileSystem, ignoresCase: Bool) throws(FileSystem.Failure) {
    var keys: [Key] = []
    var missing: [String] = []
    var rest = files.canonical(path)
    // From the path outwards: first what is not there, then what is.
    while true {
      if let identity = try files.identity(rest) {
        for depth in missing.indices {
          let names = missing[depth...].reversed().joined(separator: "/")
          keys.append(.missing(folder: identity, names: ignoresCase ? names.lowercased() : names))
        }
        break
      }
      let unit = StoreUnit(path: rest)
      missing.append(unit.name)
      guard unit.folder != rest, !rest.isEmpty else { break }
      rest = unit.folder
    }
    while let identity = try files.identity(rest) {
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
  /// The absolute path with every link followed as far as it exists, and `.` and `..` taken out of the
  /// rest. `realpath(3)`.
  package func canonical(_ path: String) -> String {
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
      while head.count > 1, head.hasSuffix("/") { head.removeLast() }
      let unit = StoreUnit(path: head)
      rest.append(unit.name)
      guard unit.folder != head else { return path }
      head = unit.folder
    }
  }

  /// Whether the folder that a file is in takes names in another case for the same.
  func ignoresCase(beside path: String) throws(Failure) -> Bool {
    let unit = StoreUnit(path: path)
    let (upper, lower) = (unit.name.uppercased(), unit.name.lowercased())
    let other = upper == unit.name ? lower : upper
    guard other != unit.name, let found = try identity(path) else { return false }
    return try identity("\(unit.folder)/\(other)") == found && !hasName(other, in: unit.folder)
  }

  /// Whether a folder lists the very name.
  private func hasName(_ name: String, in folder: String) -> Bool {
    (try? names(in: folder))?.contains(name) ?? true
  }
}
