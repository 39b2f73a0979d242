internal import PassageFiles

/// The types of store that a program knows besides Core Data's own.
public struct StoreTypes: Sendable {
  /// The types in the order in which they are tried.
  public var all: [any StoreType]
  /// The memory that reading a store may take if its type loads it as a whole. The need is
  /// estimated before the store is loaded.
  public var memoryBytes: Int

  /// Creates a list of types. A later type is tried only if the earlier ones do not recognize the
  /// file.
  public init(_ all: [any StoreType], memoryBytes: Int? = nil) {
    self.all = all
    self.memoryBytes = memoryBytes ?? MemorySize.allowed
  }

  /// The type with this name in options.
  public func named(_ name: String) -> (any StoreType)? { bounded(all.first { $0.name == name }) }

  private func bounded(_ type: (any StoreType)?) -> (any StoreType)? {
    type?.bounded(byMemory: memoryBytes)
  }

  /// The type for a destination's file extension; `nil` if no type has it.
  public func type(forDestination path: String) -> (any StoreType)? {
    let name = StoreUnit(path: path).name
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    let suffix = name[name.index(after: dot)...].lowercased()
    return bounded(all.first { $0.fileExtensions.contains(suffix) })
  }

  /// The type of the file at a path; `nil` for a store in Core Data's layout, for a file of unknown
  /// type and if there is no file.
  public func type(ofFileAt path: String) -> (any StoreType)? {
    guard let status = try? FileSystem.status(path), status.kind == .file,
      let bytes = try? FileSystem.prefix(path, count: 512)
    else { return nil }
    return bounded(all.first { $0.recognizes(path: path, firstBytes: bytes) })
  }
}
