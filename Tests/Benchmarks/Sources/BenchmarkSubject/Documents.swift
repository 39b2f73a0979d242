internal import Foundation
internal import Passage

/// The files of a scenario.
enum Documents {
  /// The mapping models of a scenario: `Mapping.json`, or `Mapping1.json`, `Mapping2.json` … in
  /// order.
  static func mappings(_ folder: String) throws -> [MappingModel] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    return try names.filter { $0.hasPrefix("Mapping") && $0.hasSuffix(".json") }.map {
      try MappingDocument.decode(read("\(folder)/\($0)"), file: "\(folder)/\($0)")
    }
  }

  static func model(_ path: String) throws -> Model {
    try ModelDocument.decode(read(path), file: path)
  }

  private static func read(_ path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
