package import PassageDiagnostics
package import PassageModels

/// A compiled model with versions: a `.momd` bundle of `.mom` files, with the name of the current
/// version and the hashes of every version in `VersionInfo.plist`. The `.omo` file beside them is
/// ignored.
package struct CompiledVersionedModelFormat: ModelFormat {
  package let title = "a compiled model with versions (.momd)"

  package init() {}

  package func recognizes(_ file: FoundFile) -> Bool {
    file.isDirectory && file.pathExtension == "momd"
  }

  package func versions(of file: FoundFile) throws(Diagnostics) -> ModelVersions {
    let names = try Self.names(in: file)
    let current = try VersionInfo.read(in: file)?.currentVersionName
    return ModelVersions(names: names, current: current ?? (names.count == 1 ? names.first : nil))
  }

  package func read(_ file: FoundFile, version: String?) throws(Diagnostics) -> ReadModel {
    let info = try VersionInfo.read(in: file)
    let names = try Self.names(in: file)
    guard let name = version ?? info?.currentVersionName ?? (names.count == 1 ? names.first : nil)
    else {
      guard !names.isEmpty else {
        throw Diagnostics([
          Diagnostic(
            "MOD-112", "“\(file.name)” contains no model", at: SourceLocation(file: file.path),
            remedy: "give the whole bundle that Xcode wrote")
        ])
      }
      throw Diagnostics([
        Diagnostic(
          "MOD-111", "“\(file.name)” does not say which version is current",
          at: SourceLocation(file: file.path), reason: "it has \(ModelFile.list(names))",
          remedy: "name one: \(file.path):\(names.first ?? "VERSION")")
      ])
    }
    guard names.contains(name),
      let compiled = try FoundFile(path: "\(file.path)/\(name)\(Self.suffix)")
    else { throw Diagnostics([ModelFile.unknownVersion(name, of: file, names: names)]) }
    let read = try CompiledModelFormat().read(compiled, version: nil)
    guard let info, let hashes = info.versionHashes[name] else { return read }
    return read.recording(hashes, of: "\(file.path)/\(VersionInfo.fileName)")
  }

  package func entityNames(of file: FoundFile, version: String) -> Set<String>? {
    (try? VersionInfo.read(in: file))?.versionHashes[version].map { Set($0.keys) }
  }

  private static let suffix = ".mom"

  private static func names(in file: FoundFile) throws(Diagnostics) -> [String] {
    let names = try file.contents.filter { $0.hasSuffix(suffix) }.map {
      String($0.dropLast(suffix.count))
    }
    return ModelVersions(names: names, current: nil).names
  }
}
