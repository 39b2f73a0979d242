internal import PassageAtomicStores
package import PassageDiagnostics
package import PassageModels

/// Reads Xcode's data model files: the `contents` of an `.xcdatamodel` bundle.
///
/// Apple documents no schema for them. The elements and attributes that are understood here are
/// those that Xcode 4.3 and later write. Everything else is ignored with a note (`MOD-105`).
package enum XcodeModelReader {
  /// Reads and checks a model.
  ///
  /// - Parameters:
  ///   - bytes: the XML text.
  ///   - name: the model's name: the bundle's name without extension.
  ///   - file: the file name used in locations.
  /// - Throws: every mistake, with its location: `MOD-103` for a text that is not XML, `MOD-104`
  ///   for an invalid word or number, `MOD-106` for a file that exceeds a limit, `MOD-107` for an
  ///   XML file that is not a data model, `MOD-108` for a missing attribute, `MOD-109` for a
  ///   composite type that does not exist, and the codes of `ModelChecker`. Remarks have `MOD-105`
  ///   for what is not understood and `MOD-113` for a default that is not a number.
  package static func read(
    _ bytes: [UInt8], name: String, file: String
  ) throws(Diagnostics) -> ReadModel {
    let root = try MarkupReader.read(bytes, file: file)
    guard root.name == "model" else {
      throw Diagnostics([
        Diagnostic(
          "MOD-107", "the file is not a data model: its root element is <\(root.name)>",
          at: root.location, reason: "a data model begins with <model>")
      ])
    }
    var decoder = XcodeModelDecoder(file: file)
    let model = decoder.model(root, name: name)
    try decoder.attributes.findings.throwIfErrors()
    return try ReadModel(
      checking: model, findings: decoder.attributes.findings, locations: decoder.locations)
  }
}
