internal import Foundation

/// Everything in a folder that Passage can be compared with, found by what it is, not by its name.
struct CorpusFolder {
  /// What a file or folder is.
  enum Kind {
    /// An Xcode model: one version, or a bundle of them.
    case xcodeModel
    /// A compiled model: one version, or a bundle of them.
    case compiledModel
    /// A mapping model, Xcode's own or compiled.
    case mappingModel
    /// A store of Core Data.
    case store
    /// Predicates and expressions as texts, one on each line.
    case formats
  }

  /// One thing that was found.
  struct Item {
    var kind: Kind
    /// Below the folder, with `/` between its parts.
    var path: String
  }

  /// The folder itself.
  let path: String
  /// Sorted by path.
  let items: [Item]

  /// Walks a folder.
  ///
  /// - Throws: what the file system answers when the folder cannot be listed.
  init(path: String) throws {
    self.path = URL(fileURLWithPath: path).path
    var items: [Item] = []
    try Self.walk(self.path, below: "", depth: 0, &items)
    self.items = items.sorted { $0.path < $1.path }
  }

  /// The paths of one kind, sorted.
  func paths(_ kind: Kind) -> [String] { items.filter { $0.kind == kind }.map(\.path) }

  /// Where something of the folder is.
  func location(_ item: String) -> String { "\(path)/\(item)" }

  /// The folder at the top that a path is in: the unit of the report.
  static func series(_ item: String) -> String {
    let parts = item.split(separator: "/")
    return parts.count > 1 ? String(parts[0]) : "."
  }

  private static func walk(
    _ root: String, below: String, depth: Int, _ items: inout [Item]
  ) throws {
    guard depth < 16 else { return }
    let files = FileManager.default
    let folder = below.isEmpty ? root : "\(root)/\(below)"
    for name in try files.contentsOfDirectory(atPath: folder).sorted() {
      let path = below.isEmpty ? name : "\(below)/\(name)"
      var isDirectory: ObjCBool = false
      guard files.fileExists(atPath: "\(root)/\(path)", isDirectory: &isDirectory) else { continue }
      if isDirectory.boolValue {
        if let kind = bundleKind(name, "\(root)/\(path)") {
          items.append(Item(kind: kind, path: path))
        } else {
          try walk(root, below: path, depth: depth + 1, &items)
        }
      } else if let kind = FileContents(path: "\(root)/\(path)").kind {
        items.append(Item(kind: kind, path: path))
      }
    }
  }

  /// The kind of a folder that is read as a whole.
  private static func bundleKind(_ name: String, _ path: String) -> Kind? {
    switch URL(fileURLWithPath: name).pathExtension {
    case "xcdatamodel", "xcdatamodeld": .xcodeModel
    case "momd": .compiledModel
    case "xcmappingmodel": .mappingModel
    default: nil
    }
  }
}
