internal import PassageDiagnostics
package import PassageModels
package import PassageStores

/// Core Data's XML store, `NSXMLStoreType`.
///
/// Apple documents no schema. What is read and written is found in Core Data's files, from those of
/// 2005 to those of Xcode's editors today.
package struct XMLStoreType: AtomicStoreType {
  package let maximumBytes: Int
  /// The memory limit, which limits the size of a value that is written.
  private var memoryBytes = MemorySize.standard

  /// - Parameter maximumBytes: the largest file that is loaded.
  package init(maximumBytes: Int = AtomicStore.File.maximumBytes) {
    self.maximumBytes = maximumBytes
  }

  package var name: String { "xml" }

  package var title: String { "a Core Data XML store" }

  package var fileExtensions: [String] { ["xml"] }

  /// Whether the file begins as XML and has the root element `<database>`, or is empty with the
  /// extension `.xml`.
  package func recognizes(path: String, firstBytes: [UInt8]) -> Bool {
    if firstBytes.isEmpty { return path.lowercased().hasSuffix(".xml") }
    let text = String(decoding: firstBytes.filter { $0 != 0 }, as: UTF8.self)
    // A byte order mark, and what it leaves of one in UTF-16.
    let first = text.unicodeScalars.first {
      !$0.properties.isWhitespace && $0 != "\u{FEFF}" && $0 != "\u{FFFD}"
    }
    return first == "<"
      && (text.contains("<!DOCTYPE database") || text.contains("<database>"))
  }

  static let style: TextStyle = {
    var style = TextStyle()
    style.dates = .reference
    style.trueText = "1"
    style.falseText = "0"
    return style
  }()

  /// Entries of a database's metadata that an XML store does not have.
  static let leftOut: Set<String> = [
    "_NSAutoVacuumLevel", "NSStoreModelVersionChecksumKey", "NSStoreModelVersionHashesDigest",
    "NSStoreType",
  ]

  static func checkRoot(_ root: MarkupElement) throws(Diagnostics) {
    guard root.name != "database" else { return }
    throw Diagnostics([
      Diagnostic(
        "ATM-019", "the file is not a Core Data XML store: its root element is <\(root.name)>",
        at: root.location, reason: "the root of such a store is <database>")
    ])
  }

  static func typeName(_ type: AttributeType) -> String {
    switch type {
    case .integer16: "int16"
    case .integer32: "int32"
    case .integer64: "int64"
    case .boolean: "bool"
    case .double: "double"
    case .float: "float"
    case .decimal: "decimal"
    case .string: "string"
    case .date: "date"
    case .binary: "binary"
    case .uuid: "uuid"
    case .uri: "uri"
    case .transformable: "transformable"
    case .objectID, .composite, .undefined: type.name
    }
  }

  private func root(_ file: AtomicStore.File) throws(Diagnostics) -> MarkupElement {
    try MarkupReader.read(
      file.bytes, file: file.path, maximumBytes: maximumBytes, maximumElements: .max,
      keepsSpace: true)
  }

  /// The entities and properties of its objects, with their names in the file: entities have the
  /// names in its version hashes, properties are in lower case.
  package func declaredModel(_ file: AtomicStore.File) throws -> Model {
    if file.isReserved { return Model(name: UsedColumns.baseName(file.path), entities: []) }
    let root = try root(file)
    try Self.checkRoot(root)
    return XMLStoreModel(root, path: file.path).model()
  }

  package func load(_ file: AtomicStore.File, as model: Model) throws -> AtomicStore.Contents {
    var reader = XMLStoreReader(try root(file), model: model, path: file.path)
    return try reader.read()
  }

  package func save(
    _ contents: AtomicStore.Contents, of model: Model, to path: String,
    options: StoredObjects.WritingOptions
  ) throws -> [UInt8] {
    let sink = MemorySink()
    var writer = XMLStoreWriter(ContentsSource(contents), model: model, path: path)
    try writer.write(to: sink)
    return sink.bytes
  }

  /// The type with a memory limit, also for what is written.
  package func bounded(byMemory bytes: Int) -> any StoreType {
    var type = self
    type.memoryBytes = bytes
    return BoundedAtomicType(base: type, memoryBytes: bytes)
  }

  /// Writes the objects of a finished store, one at a time.
  package func write(
    _ objects: StoredObjects, to path: String, options: StoredObjects.WritingOptions
  ) throws {
    let named = options.destinationPath ?? path
    var writer = XMLStoreWriter(
      StoredObjectSource(objects, limit: RecordLimit(path: named, memoryBytes: memoryBytes)),
      model: objects.model, path: named)
    try writer.write(to: FileSink(path))
  }
}
