internal import PassageDiagnostics
internal import PassageModels
internal import PassageStores

/// JSON lines as a store: one object on each line,
/// `{"entity":"Person","id":12,"first":"Robert","boss":null}`.
///
/// A member for each property, with a number, `true` or `false`, or a string; null and a missing
/// member are nil. A relationship is an identifier or a list of identifiers. Settings may be beside
/// the file (``TextStoreSettings``).
package struct JSONLinesStoreType: AtomicStoreType, StreamedTextType {
  package let maximumBytes: Int
  let streamedBytes: Int
  var memoryBytes = MemorySize.standard

  /// - Parameter maximumBytes: the largest file that is read. By default there is no limit for a
  ///   migration, and 512 MiB for an ``AtomicStore``.
  package init(maximumBytes: Int? = nil) {
    self.maximumBytes = maximumBytes ?? AtomicStore.File.maximumBytes
    streamedBytes = maximumBytes ?? .max
  }

  package var name: String { TextStoreSettings.Kind.jsonLines.rawValue }

  package var title: String { "a file of JSON lines" }

  package var fileExtensions: [String] { TextStoreSettings.Kind.jsonLines.fileExtensions }

  /// Whether the file has settings for JSON lines beside it, or has such a file extension and is not
  /// a database.
  package func recognizes(path: String, firstBytes: [UInt8]) -> Bool {
    TextStoreSettings.Kind.of(path, firstBytes: firstBytes) == .jsonLines
  }

  func settings(_ path: String) throws(Diagnostics) -> TextStoreSettings {
    try TextStoreSettings.beside(path) ?? TextStoreSettings(kind: .jsonLines)
  }

  /// A model of the entities and members of the file. Attributes have the types of the settings,
  /// otherwise those of the values in JSON.
  func declaredModel(_ input: TextInput, _ settings: TextStoreSettings) throws -> Model {
    try JSONLinesColumns(input, settings: settings, triesStrings: false).model
  }

  func read(
    _ input: TextInput, _ settings: TextStoreSettings, as model: Model, into sink: any RecordSink
  ) throws -> Diagnostics {
    var reader = try JSONLinesReader(input, settings: settings, model: model, into: sink)
    return try reader.read()
  }

  func write(
    _ source: any ObjectSource, _ settings: TextStoreSettings, of model: Model, named path: String,
    to sink: any ByteSink
  ) throws {
    try JSONLinesWriter(source, model: model, settings: settings, path: path).write(to: sink)
  }
}
