internal import PassageAtomicStores
internal import PassageDiagnostics

/// The objects of a Core Data XML store, by identifier.
///
/// ```xml
/// <database>
///   <databaseInfo>…</databaseInfo>
///   <object type="XDDEVENTITYMAPPING" id="z102">
///     <attribute name="sourcename" type="string">Car</attribute>
///     <relationship name="mappingmodel" type="1/1" destination="XDDEVMAPPINGMODEL" idrefs="z129"/>
///   </object>
/// </database>
/// ```
/// Apple documents no schema; this is the form of files since Xcode 4. References are not followed
/// here, so cycles cost nothing.
struct XMLStoreDocument: Sendable {
  /// The largest number of objects that is accepted. The largest mapping model known has a few
  /// thousand.
  static let maximumObjects = 200_000
  /// The largest number of mistakes that is listed.
  static let maximumFindings = 100

  /// In the order of the file, which has no meaning.
  private(set) var objects: [XMLStoreObject] = []
  private var positions: [String: Int] = [:]

  /// The object with this identifier.
  ///
  /// - Complexity: O(1).
  func object(_ identifier: String) -> XMLStoreObject? {
    positions[identifier].map { objects[$0] }
  }

  /// Reads a store.
  ///
  /// - Throws: `MOD-103` for a text that is not XML, `MOD-106` for a file that exceeds a limit,
  ///   `IMP-002` for another kind of XML, `IMP-003` for an object or member that is incomplete or
  ///   occurs twice. All mistakes that are found are listed, with their locations.
  static func read(_ bytes: [UInt8], file: String) throws(Diagnostics) -> XMLStoreDocument {
    let root = try MarkupReader.read(bytes, file: file)
    guard root.name == "database" else {
      throw Diagnostics([
        Diagnostic(
          "IMP-002", "the file is not an Xcode mapping model: its root element is <\(root.name)>",
          at: root.location, reason: "a mapping model is a Core Data XML store, <database>",
          remedy: "give the .xcmappingmodel folder, or the xcmapping.xml inside it")
      ])
    }
    var document = XMLStoreDocument()
    var findings = Diagnostics()
    for element in root.children where element.name == "object" {
      guard document.objects.count < maximumObjects, findings.all.count < maximumFindings else {
        findings.append(
          Diagnostic(
            "IMP-007", "the file has too many objects or mistakes", at: element.location,
            reason: "at most \(maximumObjects) objects and \(maximumFindings) mistakes are read"))
        break
      }
      guard let object = XMLStoreObject(element, &findings) else { continue }
      if let known = document.object(object.identifier) {
        findings.append(
          Diagnostic(
            "IMP-003", "two objects have the same identifier",
            at: element.location, reason: "the other is at \(known.location)"))
        continue
      }
      document.positions[object.identifier] = document.objects.count
      document.objects.append(object)
    }
    try findings.throwIfErrors()
    return document
  }
}
