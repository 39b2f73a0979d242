internal import PassageAtomicStores
internal import PassageDiagnostics
internal import PassageStores

/// The file that Xcode's compiler writes beside the versions of a compiled model:
/// `VersionInfo.plist`.
struct VersionInfo: Sendable, Hashable {
  static let fileName = "VersionInfo.plist"

  private static let maximumBytes = 16 << 20

  /// `NSManagedObjectModel_CurrentVersionName`.
  var currentVersionName: String?
  /// `NSManagedObjectModel_VersionHashes`: each version's hashes, by version and entity name.
  var versionHashes: [String: [String: [UInt8]]] = [:]
  /// `NSManagedObjectModel_VersionChecksums`, in files of recent systems: Base-64 text by version.
  var versionChecksums: [String: String] = [:]

  init(_ list: PropertyList) {
    currentVersionName = list["NSManagedObjectModel_CurrentVersionName"]?.string
    for version in list["NSManagedObjectModel_VersionHashes"]?.members ?? [] {
      for entity in version.value.members ?? [] {
        versionHashes[version.key, default: [:]][entity.key] = entity.value.bytes
      }
    }
    for version in list["NSManagedObjectModel_VersionChecksums"]?.members ?? [] {
      versionChecksums[version.key] = version.value.string
    }
  }

  /// Reads the file of a bundle; `nil` if there is none.
  ///
  /// - Throws: `MOD-125` when it is not a property list.
  static func read(in bundle: FoundFile) throws(Diagnostics) -> VersionInfo? {
    guard let file = try FoundFile(path: "\(bundle.path)/\(fileName)"), !file.isDirectory else {
      return nil
    }
    let bytes = try file.read(maximumBytes: maximumBytes)
    do {
      if bytes.starts(with: "bplist0".utf8) {
        return VersionInfo(try BinaryPropertyList(bytes).value())
      }
      guard let list = try MarkupPropertyList.read(bytes, file: file.path) else {
        throw Diagnostics([unreadable(file, "it is not a property list")])
      }
      return VersionInfo(list)
    } catch let diagnostics as Diagnostics {
      throw diagnostics
    } catch {
      throw Diagnostics([unreadable(file, "\(error)")])
    }
  }

  private static func unreadable(_ file: FoundFile, _ reason: String) -> Diagnostic {
    Diagnostic(
      "MOD-125", "the versions of the compiled model cannot be read",
      at: SourceLocation(file: file.path), reason: reason,
      remedy: "name one .mom file instead of the bundle")
  }
}
