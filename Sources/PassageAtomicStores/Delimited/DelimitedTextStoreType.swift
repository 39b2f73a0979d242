internal import PassageDiagnostics
public import PassageModels
public import PassageStores

/// Delimited text as a store: one record for each object, `Person,Robert,Tibbot,86349382003`.
///
/// The columns are named by a header or by settings beside the file (``TextStoreSettings``); one of
/// them names the entity, one the identifier. A relationship is a column of identifiers.
public struct DelimitedTextStoreType: AtomicStoreType {
  public let maximumBytes: Int

  /// - Parameter maximumBytes: the longest file that is loaded.
  public init(maximumBytes: Int = AtomicFile.maximumBytes) { self.maximumBytes = maximumBytes }

  public var name: String { "delimited" }

  public var title: String { "a file of delimited text" }

  public var fileExtensions: [String] { TextStoreSettings.Kind.delimitedExtensions }

  /// A file with settings for delimited text beside it, or one named as such that is no database.
  public func recognizes(path: String, firstBytes: [UInt8]) -> Bool {
    TextStoreKind(of: path, firstBytes: firstBytes) == .delimited
  }

  private func settings(_ path: String) throws(Diagnostics) -> TextStoreSettings {
    if let settings = try TextStoreSettings.beside(path) { return settings }
    var settings = TextStoreSettings(kind: .delimited)
    if path.lowercased().hasSuffix(".tsv") { settings.separator = UInt8(ascii: "\t") }
    return settings
  }

  /// The entities and columns that the file has, every attribute a string.
  public func declaredModel(_ file: AtomicFile) throws -> Model {
    let settings = try settings(file.path)
    let text = try TextEncoding.decode(file.bytes, as: settings.encoding, path: file.path)
    return try DelimitedTextModel(text, settings: settings, path: file.path).model()
  }

  public func load(_ file: AtomicFile, as model: Model) throws -> AtomicContents {
    let settings = try settings(file.path)
    let text = try TextEncoding.decode(file.bytes, as: settings.encoding, path: file.path)
    var reader = DelimitedTextReader(text, settings: settings, model: model, path: file.path)
    return try reader.read()
  }

  public func save(
    _ contents: AtomicContents, of model: Model, to path: String, options: StoreWritingOptions
  ) throws -> [UInt8] {
    var settings = try settings(path)
    if options.dateStyle == .unix { settings.style.dates = .unix }
    return try DelimitedTextWriter(contents, model: model, settings: settings, path: path).bytes()
  }
}
