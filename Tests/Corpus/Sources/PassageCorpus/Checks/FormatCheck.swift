internal import Foundation
internal import Passage

/// Reads predicates and expressions that people wrote, and prints them so that they read the same.
struct FormatCheck {
  let folder: CorpusFolder

  func run(_ report: inout Report) {
    for path in folder.paths(.formats) {
      guard let data = FileManager.default.contents(atPath: folder.location(path)) else {
        report.fail(.formats, path, "the file cannot be read")
        continue
      }
      let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
      guard let header = lines.first, let kind = header.firstIndex(of: "kind"),
        let format = header.firstIndex(of: "format")
      else { continue }
      for (number, line) in lines.enumerated().dropFirst()
      where line.indices.contains(format) && line.indices.contains(kind) {
        let name = header.first == "id" ? line[0] : "\(number + 1)"
        check(line[format], kind: line[kind], item: "\(path):\(name)", &report)
      }
    }
  }

  private func check(_ text: String, kind: String, item: String, _ report: inout Report) {
    do {
      let isSame: Bool
      if kind == "predicate" || kind.hasSuffix("filter") {
        let tree = try FormatParser.predicate(text)
        isSame = try FormatParser.predicate(tree.description).description == tree.description
      } else {
        let tree = try FormatParser.expression(text)
        isSame = try FormatParser.expression(tree.description).description == tree.description
      }
      report.judge(.formats, item, isSame ? [] : ["\(text): it is printed as something else"])
    } catch {
      let first = error.errors.first
      report.fail(
        .formats, item, "\(first?.code ?? "") \(text): \(first?.message ?? "\(error)")")
    }
  }
}
