internal import PassageDiagnostics
package import PassageModels
internal import PassageStores

/// Delimited text as a store: one record for each object, `Person,Robert,Tibbot,86349382003`.
///
/// A header or the settings beside the file (``TextStoreSettings``) name the columns. One column
/// holds the entity, one the identifier. A relationship is a column of identifiers.
package struct DelimitedTextStoreType: AtomicStoreType, StreamedTextType, NamesEveryProperty {
  package let maximumBytes: Int
  let streamedBytes: Int
  var memoryBytes = MemorySize.standard

  /// - Parameter maximumBytes: the largest file that is read. By default there is no limit for a
  ///   migration, and 512 MiB for an ``AtomicStore``.
  package init(maximumBytes: Int? = nil) {
    self.maximumBytes = maximumBytes ?? AtomicStore.File.maximumBytes
    streamedBytes = maximumBytes ?? .max
  }

  package var name: String { "delimited" }

  package var title: String { "a file of delimited text" }

  package var fileExtensions: [String] { TextStoreSettings.Kind.delimited.fileExtensions }

  /// Whether the file has settings for delimited text beside it, or has such a file extension and
  /// is not a database.
  package func recognizes(path: String, firstBytes: [UInt8]) -> Bool {
    TextStoreSettings.Kind.of(path, firstBytes: firstBytes) == .delimited
  }

  func settings(_ path: String) throws(Diagnostics) -> TextStoreSettings {
    if let settings = try TextStoreSettings.beside(path) { return settings }
    var settings = TextStoreSettings(kind: .delimited)
    if path.lowercased().hasSuffix(".tsv") { settings.separator = UInt8(ascii: "\t") }
    return settings
  }

  /// A model of the entities and columns of the file. Attributes have the types of the
  /// settings; the others are strings.
  func declaredModel(_ input: TextInput, _ settings: TextStoreSettings) throws -> Model {
    try DelimitedTextModel(input, settings: settings).model()
  }

  /// Whether the header, or the settings in its place, has a column for each property of a model.
  package func hasExactNames(of model: Model, path: String) throws -> Bool {
    let settings = try settings(path)
    return try DelimitedTextModel(input(path, settings), settings: settings).hasColumns(of: model)
  }

  func read(
    _ input: TextInput, _ settings: TextStoreSettings, as model: Model, into sink: any RecordSink
  ) throws -> Diagnostics {
    var reader = try DelimitedTextReader(input, settings: settings, model: model, into: sink)
    return try reader.read()
  }

  func write(
    _ source: any ObjectSource, _ settings: TextStoreSettings, of model: Model, named path: String,
    to sink: any ByteSink
  ) throws {
    try DelimitedTextWriter(source, model: model, settings: settings, path: path).write(to: sink)
  }
}
