internal import PassageAtomicStores
package import PassageDiagnostics
package import PassageModels

/// Reads the mapping models of Xcode: an `.xcmappingmodel` bundle, the `xcmapping.xml` inside it,
/// or a compiled `.cdm` file.
///
/// ```swift
/// let read = try XcodeMappingReader.read(path: "Model1_to_Model2.xcmappingmodel")
/// print(MappingDocument.encode(read.mapping), read.notes)
/// ```
/// Apple documents neither format. The rules were found from public files and from what Xcode
/// compiled from them. Nothing in a file is instantiated or called; policies are only names.
package enum XcodeMappingReader {
  /// The largest file that is read. The largest mapping model known has about a megabyte.
  package static let maximumBytes = MarkupReader.maximumBytes

  /// Whether a path is a mapping model of Xcode, judged by its name: an `.xcmappingmodel` folder,
  /// an `.xml` or a `.cdm` file.
  package static func recognizes(path: String) -> Bool {
    guard let file = try? FoundFile(path: path) else { return false }
    return file.pathExtension == bundleExtension
      || !file.isDirectory && ["xml", "cdm"].contains(file.pathExtension)
  }

  /// Reads a mapping model.
  ///
  /// - Parameters:
  ///   - path: the bundle or file.
  ///   - source: the source model; `nil` to use the one in the file.
  ///   - destination: the destination model; `nil` to use the one in the file.
  /// - Throws: every mistake, with its location: `IMP-001` if the file does not exist or is not a
  ///   mapping model, `MOD-102` for a file that cannot be read, `MOD-103` for a text that is not
  ///   XML, `MOD-106` for a file that exceeds a limit, `IMP-002` for a file of something else,
  ///   `IMP-003` to `IMP-008` for damaged objects, references, values and archives, `IMP-009` for a
  ///   source expression and `IMP-010` for a value that cannot be expressed in this project's JSON.
  /// - Returns: the mapping model with notes; it has not been checked by `MappingChecker`. If a
  ///   model is neither given nor contained in the file (`IMP-012`), every property without a
  ///   written value is assumed to exist in it.
  /// - Complexity: O(n) in the bytes; the number of steps is bounded for every file.
  package static func read(
    path: String, source: Model? = nil, destination: Model? = nil
  ) throws(Diagnostics) -> ReadMappingModel {
    try reading(path: path).read(source: source, destination: destination)
  }

  /// Reads a mapping model whose models are among a list: those with the version hashes that the
  /// file records, or otherwise those with the names of its models.
  ///
  /// If the list has no such model, the one in the file is used, with the note `IMP-026`. In
  /// everything else the method is the same as ``read(path:source:destination:)``.
  ///
  /// - Parameters:
  ///   - path: the file or folder.
  ///   - models: the models to search, preferred ones first.
  package static func read(
    path: String, among models: [Model]
  ) throws(Diagnostics) -> ReadMappingModel {
    try reading(path: path).read(among: models)
  }

  /// Reads a mapping model from bytes, XML or an archive: see ``read(path:source:destination:)``.
  ///
  /// - Parameters:
  ///   - bytes: the contents of an `xcmapping.xml` or a `.cdm`.
  ///   - name: the mapping model's name.
  ///   - file: the file name used in locations.
  ///   - source: the source model; `nil` to use the one in the file.
  ///   - destination: the destination model; `nil` to use the one in the file.
  package static func read(
    _ bytes: [UInt8], name: String, file: String, source: Model? = nil, destination: Model? = nil
  ) throws(Diagnostics) -> ReadMappingModel {
    try MappingReading(bytes, name: name, file: file)
      .read(source: source, destination: destination)
  }

  private static let bundleExtension = "xcmappingmodel"
  private static let contentsName = "xcmapping.xml"

  private static func reading(path: String) throws(Diagnostics) -> MappingReading {
    guard let found = try FoundFile(path: path) else {
      throw Diagnostics([
        Diagnostic("IMP-001", "there is no mapping model at “\(path)”", remedy: "check the path")
      ])
    }
    let file = found.isDirectory ? try contents(of: found) : found
    let bytes = try file.read(maximumBytes: maximumBytes)
    return try MappingReading(bytes, name: name(of: found), file: file.path)
  }

  private static func contents(of bundle: FoundFile) throws(Diagnostics) -> FoundFile {
    if let file = try FoundFile(path: "\(bundle.path)/\(contentsName)"), !file.isDirectory {
      return file
    }
    throw Diagnostics([
      Diagnostic(
        "IMP-001", "“\(bundle.name)” has no file “\(contentsName)”",
        at: SourceLocation(file: bundle.path),
        remedy: "give an .xcmappingmodel folder as Xcode wrote it, or a .cdm file")
    ])
  }

  /// The bundle's name without its extension. The XML does not contain a name.
  private static func name(of file: FoundFile) -> String {
    var name = file.baseName
    if file.name == contentsName {
      name = file.parent.split(separator: "/").last.map(String.init) ?? name
    }
    let suffix = ".\(bundleExtension)"
    return name.hasSuffix(suffix) && name != suffix ? String(name.dropLast(suffix.count)) : name
  }
}
