internal import PassageDiagnostics
internal import PassageModels
internal import PassageStores

/// A text type that is read and written one record at a time. Data about all records is in an index
/// on disk.
protocol StreamedTextType: AtomicStoreType {
  /// The largest file that is migrated, in bytes.
  var streamedBytes: Int { get }
  /// The memory limit, which limits the length of a record that is read or written.
  var memoryBytes: Int { get set }

  /// Reads the settings of a file.
  func settings(_ path: String) throws(Diagnostics) -> TextStoreSettings

  func declaredModel(_ input: TextInput, _ settings: TextStoreSettings) throws -> Model

  /// Passes every record of a file to a sink.
  ///
  /// - Returns: warnings.
  /// - Throws: `Diagnostics` for mistakes of syntax, and for names that the model does not have.
  func read(
    _ input: TextInput, _ settings: TextStoreSettings, as model: Model, into sink: any RecordSink
  ) throws -> Diagnostics

  /// Writes a file.
  ///
  /// - Parameter path: the final path of the file.
  func write(
    _ source: any ObjectSource, _ settings: TextStoreSettings, of model: Model, named path: String,
    to sink: any ByteSink
  ) throws
}

extension StreamedTextType {
  /// No: its records are objects.
  public var holdsAppMetadata: Bool { false }

  /// The type with another limit for the length of a record.
  public func bounded(byMemory bytes: Int) -> any StoreType {
    var type = self
    type.memoryBytes = bytes
    return type
  }

  /// The model that the file declares.
  public func model(path: String) throws -> Model {
    let settings = try settings(path)
    return try declaredModel(input(path, settings), settings)
  }

  /// The file of a path, whose text is valid.
  func input(_ path: String, _ settings: TextStoreSettings) throws -> TextInput {
    try TextInput(
      reading: path, encoding: settings.encoding, maximumBytes: streamedBytes,
      memoryBytes: memoryBytes)
  }

  /// Reads the file once, so that its syntax and its names are valid once it is open.
  public func open(path: String, as model: Model) throws -> any ForeignStore {
    let settings = try settings(path)
    let input = try input(path, settings)
    return try StreamedForeignStore(path: path, model: model) { sink in
      try AtomicStore.File.check(path, maximumBytes: streamedBytes) == 0
        ? Diagnostics() : read(input, settings, as: model, into: sink)
    }
  }

  /// Writes the objects of a finished store, one at a time.
  public func write(
    _ objects: StoredObjects, to path: String, options: StoredObjects.WritingOptions
  ) throws {
    let named = options.destinationPath ?? path
    try write(
      StoredObjectSource(objects, limit: RecordLimit(path: named, memoryBytes: memoryBytes)),
      settings(named, options), of: objects.model, named: named, to: FileSink(path))
  }

  private func settings(
    _ path: String, _ options: StoredObjects.WritingOptions
  ) throws(Diagnostics) -> TextStoreSettings {
    var settings = try settings(path)
    if options.dateStyle == .unix { settings.style.dates = .unix }
    return settings
  }

  // MARK: In memory

  /// The model that the file declares.
  public func declaredModel(_ file: AtomicStore.File) throws -> Model {
    let settings = try settings(file.path)
    return try declaredModel(TextInput(file, encoding: settings.encoding), settings)
  }

  /// Reads the objects of a file that is in memory.
  ///
  /// - Throws: `Diagnostics` with every mistake, at its line and column.
  public func load(_ file: AtomicStore.File, as model: Model) throws -> AtomicStore.Contents {
    let settings = try settings(file.path)
    let sink = ContentsSink()
    let warnings = try read(
      TextInput(file, encoding: settings.encoding), settings, as: model, into: sink)
    var contents = sink.contents
    contents.warnings = warnings
    return contents
  }

  /// The contents of a file with these objects.
  ///
  /// - Throws: `Diagnostics` with everything that such a file cannot hold.
  public func save(
    _ contents: AtomicStore.Contents, of model: Model, to path: String,
    options: StoredObjects.WritingOptions
  ) throws -> [UInt8] {
    let sink = MemorySink()
    try write(
      ContentsSource(contents), settings(path, options), of: model, named: path, to: sink)
    return sink.bytes
  }
}
