internal import PassageDiagnostics
public import PassageEngine
public import PassageModels
public import PassagePlatform
internal import PassageReaders

/// Makes a pre-filled store from a live one, to be bundled with an app.
///
/// ```swift
/// try await StorePacker().pack(storeAt: liveStore, to: bundledStore)
/// ```
///
/// The packed store is one file, with its files of external data beside it: its log is folded in,
/// its pages are compacted, and equal contents give equal bytes. The live store may be in use and
/// is not changed.
public struct StorePacker: Sendable {
  private let model: Model?

  /// Creates a packer for stores of one model, or of any model.
  ///
  /// - Parameter model: the store's model; `nil` for the one that the store contains, or one
  ///   derived from its tables. One that was made in code is checked before anything is written
  ///   (`MOD-010` to `MOD-180`).
  public init(model: Model? = nil) { self.model = model }

  /// Packs a store.
  ///
  /// - Parameters:
  ///   - store: the live store.
  ///   - output: where the packed store goes; the folder must exist. If an identical packed store
  ///     exists there, the outcome is `unchanged`.
  ///   - options: how the store is packed.
  /// - Returns: what was packed.
  /// - Throws: `MigrationError`, as `StorePacking` does.
  @discardableResult
  public func pack(
    storeAt store: URL, to output: URL, options: PackingOptions = PackingOptions()
  ) async throws(MigrationError) -> PackingReport {
    try await start(storeAt: store, to: output, options: options).value
  }

  /// Starts what ``pack(storeAt:to:options:)`` does, with progress and cancellation.
  ///
  /// - Parameters:
  ///   - store: the live store.
  ///   - output: where the packed store goes.
  ///   - options: how the store is packed.
  /// - Returns: the running packing.
  public func start(
    storeAt store: URL, to output: URL, options: PackingOptions = PackingOptions()
  ) -> Packing {
    let packing = StorePacking(
      storePath: store.path, outputPath: output.path, options: options, model: model)
    return Packing(storePath: store.path) { control in
      try [model].compactMap(\.self).refuseMistakes()
      return try packing.run(control: control)
    }
  }
}

extension StorePacking {
  /// Describes a packing; nothing is read until it runs.
  ///
  /// - Parameters:
  ///   - storePath: the live store.
  ///   - outputPath: where the packed store goes.
  ///   - options: how the store is packed.
  ///   - model: the store's model; `nil` for the one that the store contains, or one derived from
  ///     its tables.
  package init(
    storePath: String, outputPath: String, options: PackingOptions = PackingOptions(),
    model: Model?
  ) {
    self.init(storePath: storePath, outputPath: outputPath, options: options) { path in
      try Self.find(model, path)
    }
  }

  /// The given model, or else the store's own.
  package static func find(_ model: Model?, _ path: String) throws -> PackingModel {
    if let model { return PackingModel(model) }
    let read = try ModelFile.load(path: path)
    return PackingModel(read.model, isGuessed: read.isGuessed)
  }
}
