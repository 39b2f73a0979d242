internal import ArgumentParser

/// The language in which a diagram is written.
enum DiagramFormat: String, ExpressibleByArgument, CaseIterable {
  case svg
  case mermaid
  case dot
  /// Boxes and arrows as one JSON object.
  case json

  /// The format of a file with this name; SVG if its extension says nothing.
  init(fileName: String) {
    let pathExtension = fileName.split(separator: ".").last?.lowercased()
    self =
      switch pathExtension {
      case "mmd", "mermaid": .mermaid
      case "dot", "gv": .dot
      case "json": .json
      default: .svg
      }
  }
}
