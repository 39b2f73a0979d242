internal import PassageDiagnostics
internal import PassageModels
internal import PassageReaders

/// A file of models that a project names: its versions, of which one has been read.
struct ModelBundle {
  /// The current version; `nil` when the file does not say.
  let current: String?
  /// The current version, or the first that can be read.
  private(set) var first: Model?
  /// The other versions, by name.
  private(set) var unread: [String: KnownModels.Unread] = [:]
  /// Why versions that were tried cannot be read, by name.
  private(set) var unreadable: [String: Diagnostics] = [:]

  /// - Throws: why the list of versions cannot be read; everything that is wrong with all versions
  ///   if none can be read.
  init(_ path: String) throws(Diagnostics) {
    let versions = try ModelFile.list(path: path)
    current = versions.current
    func place(of name: String) -> String {
      versions.names.count == 1 ? path : "\(path):\(name)"
    }
    var names = versions.names
    if let current = versions.current, let position = names.firstIndex(of: current) {
      names.swapAt(0, position)
    }
    for name in names {
      guard first == nil else {
        unread[name] = KnownModels.Unread(
          path: place(of: name), entityNames: ModelFile.entityNames(path: place(of: name)))
        continue
      }
      do throws(Diagnostics) {
        first = try ModelFile.read(path: place(of: name))
      } catch {
        unreadable[name] = error
      }
    }
    if first == nil {
      try Diagnostics(versions.names.flatMap { unreadable[$0]?.all ?? [] }).throwIfErrors()
    }
  }
}
