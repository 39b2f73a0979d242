package import PassageDiagnostics
package import PassageModels

/// One compiled model: a `.mom` file.
package struct CompiledModelFormat: ModelFormat {
  package let title = "a compiled model (.mom)"

  /// The first bytes of Xcode's optimized models, a separate format that adds nothing to the `.mom`
  /// file.
  private static let optimizedMagic = Array("momv2$".utf8)

  package init() {}

  package func recognizes(_ file: FoundFile) -> Bool {
    !file.isDirectory && file.name != VersionInfo.fileName
      && (file.pathExtension == "mom" || file.firstBytes.starts(with: "bplist0".utf8)
        || file.firstBytes.starts(with: Self.optimizedMagic))
  }

  package func versions(of file: FoundFile) throws(Diagnostics) -> ModelVersions {
    ModelVersions(names: [file.baseName], current: file.baseName)
  }

  package func read(_ file: FoundFile, version: String?) throws(Diagnostics) -> ReadModel {
    guard !file.firstBytes.starts(with: Self.optimizedMagic) else {
      throw Diagnostics([
        Diagnostic(
          "MOD-120", "“\(file.name)” is an optimized model, which cannot be read",
          at: SourceLocation(file: file.path),
          remedy: "give the .mom file beside it, which has the same contents")
      ])
    }
    let bytes = try file.read(maximumBytes: CompiledModelReader.maximumBytes)
    return try CompiledModelReader.read(bytes, name: file.baseName, file: file.path)
  }
}
