import Foundation
import PassageTesting

/// Everything below a folder as it is: kinds, permissions, links and contents.
struct FolderPicture: Equatable {
  private var entries: [String: String] = [:]

  init(_ path: String) throws {
    for name in [""] + (FileManager.default.subpaths(atPath: path) ?? []) {
      let entry = name.isEmpty ? path : "\(path)/\(name)"
      let attributes = try FileManager.default.attributesOfItem(atPath: entry)
      let type = attributes[.type] as? FileAttributeType
      let contents =
        switch type {
        case .typeSymbolicLink?:
          try FileManager.default.destinationOfSymbolicLink(atPath: entry)
        case .typeRegular?:
          "\(FileManager.default.contents(atPath: entry).map { Array($0) } ?? [])"
        default: ""
        }
      let mode = attributes[.posixPermissions] as? Int
      entries[name] = "\(type?.rawValue ?? "") \(mode ?? 0) \(contents)"
    }
  }
}
