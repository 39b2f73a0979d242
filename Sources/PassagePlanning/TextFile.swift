internal import FoundationEssentials

/// Small files that authors write.
enum TextFile {
  /// The contents of a regular file of at most 16 MiB; `nil` when there is none.
  static func contents(_ path: String) -> [UInt8]? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let size = attributes[.size] as? Int, size <= 16 << 20,
      attributes[.type] as? FileAttributeType != .typeDirectory,
      let data = FileManager.default.contents(atPath: path)
    else { return nil }
    return Array(data)
  }

  /// The names in a folder, sorted; empty when there is none.
  static func names(in directory: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
  }
}
