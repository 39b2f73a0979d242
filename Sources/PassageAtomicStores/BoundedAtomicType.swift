internal import PassageDiagnostics
internal import PassageModels
internal import PassageStores

/// A type that loads a file as a whole, with a memory limit.
struct BoundedAtomicType<Base: AtomicStoreType>: StoreType {
  let base: Base
  let memoryBytes: Int

  var name: String { base.name }
  var title: String { base.title }
  var fileExtensions: [String] { base.fileExtensions }
  var holdsAppMetadata: Bool { base.holdsAppMetadata }

  func bounded(byMemory bytes: Int) -> any StoreType { base.bounded(byMemory: bytes) }

  func recognizes(path: String, firstBytes: [UInt8]) -> Bool {
    base.recognizes(path: path, firstBytes: firstBytes)
  }

  func model(path: String) throws -> Model {
    try check(path)
    return try base.model(path: path)
  }

  func open(path: String, as model: Model) throws -> any ForeignStore {
    try check(path)
    return try base.open(path: path, as: model)
  }

  func fingerprint(path: String) throws -> String { try base.fingerprint(path: path) }

  func write(_ objects: StoredObjects, to path: String, options: StoredObjects.WritingOptions)
    throws
  {
    try base.write(objects, to: path, options: options)
  }

  func isUnchanged(path: String, from written: String) throws -> Bool {
    try base.isUnchanged(path: path, from: written)
  }

  /// - Throws: ``MemoryExceeded`` with `ATM-050`, before anything is read.
  private func check(_ path: String) throws {
    let fileBytes = try AtomicStore.File.check(path, maximumBytes: base.maximumBytes)
    let needed = base.memoryNeeded(fileBytes: fileBytes)
    guard needed > memoryBytes else { return }
    throw MemoryExceeded(
      Diagnostic(
        "ATM-050", "reading the store takes about \(MemorySize.text(needed)) of memory",
        at: SourceLocation(file: path),
        reason: "\(base.title) is loaded as a whole, at up to \(needed / max(1, fileBytes)) times "
          + "its \(fileBytes) bytes, and \(MemorySize.text(memoryBytes)) are allowed",
        remedy: "allow more with --memory \(MemorySize.text(needed)), or keep the objects in a "
          + "database, in delimited text or in JSON lines, which are read piece by piece"))
  }
}

extension BoundedAtomicType: AtomicStoreType {
  var maximumBytes: Int { base.maximumBytes }

  func memoryNeeded(fileBytes: Int) -> Int { base.memoryNeeded(fileBytes: fileBytes) }

  func declaredModel(_ file: AtomicStore.File) throws -> Model { try base.declaredModel(file) }

  func load(_ file: AtomicStore.File, as model: Model) throws -> AtomicStore.Contents {
    try base.load(file, as: model)
  }

  func save(
    _ contents: AtomicStore.Contents, of model: Model, to path: String,
    options: StoredObjects.WritingOptions
  ) throws -> [UInt8] {
    try base.save(contents, of: model, to: path, options: options)
  }
}
