internal import PassageAtomicStores
package import PassageDiagnostics
package import PassageModels

/// One Xcode model: an `.xcdatamodel` bundle, or the `contents` file inside one.
package struct XcodeModelFormat: ModelFormat {
  package let title = "an Xcode model (.xcdatamodel)"

  package init() {}

  package func recognizes(_ file: FoundFile) -> Bool {
    file.isDirectory
      ? file.pathExtension == "xcdatamodel"
      : file.name == "contents" || file.pathExtension == "xcdatamodel"
  }

  package func versions(of file: FoundFile) throws(Diagnostics) -> ModelVersions {
    let name = name(of: file)
    return ModelVersions(names: [name], current: name)
  }

  package func read(_ file: FoundFile, version: String?) throws(Diagnostics) -> ReadModel {
    if file.isDirectory, let elements = try OldXcodeModel.elements(of: file) {
      return try OldXcodeModel.read(elements, name: name(of: file))
    }
    let contents = file.isDirectory ? try contents(of: file) : file
    let bytes = try contents.read(maximumBytes: MarkupReader.maximumBytes)
    return try XcodeModelReader.read(bytes, name: name(of: file), file: contents.path)
  }

  /// The bundle's name, which is the version's name. The XML does not contain it.
  private func name(of file: FoundFile) -> String {
    guard file.name == "contents", !file.isDirectory else { return file.baseName }
    let bundle = file.parent.split(separator: "/").last.map(String.init) ?? file.name
    return bundle.hasSuffix(".xcdatamodel") ? String(bundle.dropLast(12)) : bundle
  }

  private func contents(of bundle: FoundFile) throws(Diagnostics) -> FoundFile {
    if let contents = try FoundFile(path: bundle.path + "/contents"), !contents.isDirectory {
      return contents
    }
    throw Diagnostics([
      Diagnostic(
        "MOD-112", "“\(bundle.name)” has no file “contents”",
        at: SourceLocation(file: bundle.path),
        remedy: "give the .xcdatamodel folder that Xcode wrote")
    ])
  }
}
