internal import PassageAtomicStores
package import PassageDiagnostics
package import PassageModels

/// An Xcode model with versions: an `.xcdatamodeld` bundle of `.xcdatamodel` bundles, with the name
/// of the current one in `.xccurrentversion`.
package struct XcodeVersionedModelFormat: ModelFormat {
  package let title = "an Xcode model with versions (.xcdatamodeld)"

  package init() {}

  package func recognizes(_ file: FoundFile) -> Bool {
    file.isDirectory && file.pathExtension == "xcdatamodeld"
  }

  package func versions(of file: FoundFile) throws(Diagnostics) -> ModelVersions {
    let names = try file.contents.filter { $0.hasSuffix(Self.suffix) }
      .map { String($0.dropLast(Self.suffix.count)) }
    // Without that file, Xcode uses the only version.
    let current = try currentVersion(of: file) ?? (names.count == 1 ? names.first : nil)
    return ModelVersions(names: names, current: current)
  }

  package func read(_ file: FoundFile, version: String?) throws(Diagnostics) -> ReadModel {
    let versions = try versions(of: file)
    guard let name = version ?? versions.current else {
      guard !versions.names.isEmpty else {
        throw Diagnostics([
          Diagnostic(
            "MOD-112", "“\(file.name)” contains no model", at: SourceLocation(file: file.path),
            remedy: "give the whole bundle that Xcode wrote")
        ])
      }
      throw Diagnostics([
        Diagnostic(
          "MOD-111", "“\(file.name)” does not say which version is current",
          at: SourceLocation(file: file.path), reason: "it has \(ModelFile.list(versions.names))",
          remedy: "name one: \(file.path):\(versions.names.first ?? "VERSION")")
      ])
    }
    guard versions.names.contains(name),
      let bundle = try FoundFile(path: "\(file.path)/\(name)\(Self.suffix)")
    else {
      throw Diagnostics([
        version == nil
          ? missingCurrent(name, of: file, names: versions.names)
          : ModelFile.unknownVersion(name, of: file, names: versions.names)
      ])
    }
    return try XcodeModelFormat().read(bundle, version: nil)
  }

  private func missingCurrent(
    _ name: String, of file: FoundFile, names: [String]
  ) -> Diagnostic {
    Diagnostic(
      "MOD-134", "“.xccurrentversion” names the version “\(name)”, which the bundle does not have",
      at: SourceLocation(file: file.path + Self.markerPath),
      reason: "it has \(ModelFile.list(names))",
      remedy: "set the current version in Xcode, or name one: "
        + "\(file.path):\(nearest(to: name, in: names) ?? names.first ?? "VERSION")")
  }

  package func entityNames(of file: FoundFile, version: String) -> Set<String>? {
    guard
      let contents = try? FoundFile(path: "\(file.path)/\(version)\(Self.suffix)/contents"),
      let bytes = try? contents.read(maximumBytes: Self.maximumScannedBytes)
    else { return nil }
    return XcodeEntityScan.names(in: bytes)
  }

  private static let maximumScannedBytes = 16 << 20
  private static let suffix = ".xcdatamodel"
  private static let markerPath = "/.xccurrentversion"
  private static let maximumPropertyListBytes = 1 << 20

  /// The version that `.xccurrentversion` names; `nil` if the file does not exist.
  private func currentVersion(of file: FoundFile) throws(Diagnostics) -> String? {
    guard let marker = try FoundFile(path: file.path + Self.markerPath) else { return nil }
    let bytes = try marker.read(maximumBytes: Self.maximumPropertyListBytes)
    let root = try MarkupReader.read(bytes, file: marker.path)
    let members = root.children(named: "dict").first?.children ?? []
    for (key, value) in zip(members, members.dropFirst())
    where key.name == "key" && key.text == "_XCCurrentVersionName" && value.name == "string" {
      let name = value.text
      return name.hasSuffix(Self.suffix) ? String(name.dropLast(Self.suffix.count)) : name
    }
    return nil
  }
}
