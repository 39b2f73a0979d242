package import PassageDiagnostics
package import PassageModels

/// A model in this project's JSON.
package struct JSONModelFormat: ModelFormat {
  package let title = "a model in JSON (.json)"

  package init() {}

  package func recognizes(_ file: FoundFile) -> Bool {
    let bytes = file.firstBytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let first = file.firstBytes.dropFirst(bytes).first { !" \t\r\n".utf8.contains($0) }
    return !file.isDirectory && (file.pathExtension == "json" || first == UInt8(ascii: "{"))
  }

  package func versions(of file: FoundFile) throws(Diagnostics) -> ModelVersions {
    let name = try read(file, version: nil).model.name
    return ModelVersions(names: [name], current: name)
  }

  package func read(_ file: FoundFile, version: String?) throws(Diagnostics) -> ReadModel {
    let bytes = try file.read(maximumBytes: JSONParser.maximumBytes)
    do throws(Diagnostics) {
      return try ModelDocument.read(bytes, file: file.path)
    } catch {
      guard let other = OtherDocument(bytes, of: file), other != .model else { throw error }
      throw Diagnostics([other.diagnostic(of: file, inPlaceOf: .model)])
    }
  }
}
