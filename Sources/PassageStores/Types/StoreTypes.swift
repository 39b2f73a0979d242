internal import PassageFiles

/// The types of store a program knows beside Core Data's own.
public struct StoreTypes: Sendable {
  /// In the order they are asked.
  public var all: [any StoreType]
  /// What reading a store may take of memory where its type loads it whole; estimated before it
  /// begins.
  public var memoryBytes: Int

  /// Makes a list of types; a later one is asked only when the earlier ones refuse.
  public init(_ all: [any StoreType], memoryBytes: Int? = nil) {
    self.all = all
    self.memoryBytes = memoryBytes ?? MemorySize.allowed
  }

  /// The type with this name in options.
  public func named(_ name: String) -> (any StoreType)? { bounded(all.first { $0.name == name }) }

  private func bounded(_ type: (any StoreType)?) -> (any StoreType)? {
    type?.bounded(byMemory: memoryBytes)
  }

  /// The type that a destination's extension stands for; `nil` where it is for none.
  public func type(forDestination path: String) -> (any StoreType)? {
    let name = StoreUnit(path: path).name
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    let suffix = name[name.index(after: dot)...].lowercased()
    return bounded(all.first { $0.fileExtensions.contains(suffix) })
  }

  /// The type of the file at a path; `nil` for a store in Core Data's layout, for a file of no known
  /// type and for none at all.
  public func type(ofFileAt path: String) -> (any StoreType)? {
    guard let status = try? FileSystem.status(path), status.kind == .file,
      let bytes = try? FileSystem.prefix(path, count: 512)
    else { return nil }
    return bounded(all.first { $0.recognizes(path: path, firstBytes: bytes) })
  }
}
