internal import PassagePlatform

extension Diagram {
  /// The diagram in Mermaid's language of flow charts.
  ///
  /// Boxes have numbers for names. Texts are quoted, and every character that could mean something
  /// is a code: https://mermaid.js.org/syntax/flowchart.html#entity-codes-to-escape-characters
  package var mermaid: String {
    var lines = ["---", "title: \(Self.mermaidTitle(title))", "---", "flowchart LR"]
    for (index, node) in nodes.enumerated() {
      let texts = [node.name, node.note].compactMap(\.self) + node.rows.map(\.line)
      let label = texts.map(Self.mermaidText).joined(separator: "<br/>")
      let (open, close) =
        switch node.kind {
        case .mapping, .step: ("([", "])")
        case .entity, .abstractEntity, .version: ("[", "]")
        }
      lines.append("  n\(index)\(open)\(Self.quoted(label))\(close)")
    }
    for edge in edges {
      let arrow =
        switch edge.kind {
        case .relationship, .flow: "-->"
        case .inheritance: "-.->"
        }
      let label = edge.label.isEmpty ? "" : "|\(Self.quoted(Self.mermaidText(edge.label)))|"
      lines.append("  n\(edge.from) \(arrow)\(label) n\(edge.to)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The diagram in the language of Graphviz.
  ///
  /// Boxes have numbers for names. Texts are quoted, with a backslash before quotation marks and
  /// backslashes: https://graphviz.org/doc/info/lang.html
  package var dot: String {
    var lines = [
      "digraph passage {", "  rankdir=LR;", "  label=\(Self.dotText([title], end: ""));",
      "  labelloc=t;", "  fontname=\"Helvetica\";",
      "  node [shape=box, fontname=\"Helvetica\", fontsize=11];",
      "  edge [fontname=\"Helvetica\", fontsize=10];",
    ]
    for (index, node) in nodes.enumerated() {
      let texts = [node.name, node.note].compactMap(\.self) + node.rows.map(\.line)
      let style =
        switch node.kind {
        case .entity, .version: ""
        case .abstractEntity: ", style=dashed"
        case .mapping, .step: ", style=rounded"
        }
      lines.append("  n\(index) [label=\(Self.dotText(texts, end: "\\l"))\(style)];")
    }
    for edge in edges {
      let style = edge.kind == .inheritance ? ", style=dashed, arrowhead=onormal" : ""
      lines.append(
        "  n\(edge.from) -> n\(edge.to) [label=\(Self.dotText([edge.label], end: ""))\(style)];")
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  // MARK: Quoting

  /// A text between quotation marks; what is in it must be escaped.
  private static func quoted(_ text: String) -> String { "\"" + text + "\"" }

  private static func escapingMarks(_ text: String) -> String {
    text.replacingScalars { $0 == "\\" ? "\\\\" : $0 == "\"" ? "\\\"" : nil }
  }

  /// A title is a YAML string, which JSON's quoting is too.
  private static func mermaidTitle(_ text: String) -> String {
    quoted(escapingMarks(EscapedText.printable(text).inOneLine))
  }

  private static func mermaidText(_ text: String) -> String {
    var escaped = ""
    for scalar in EscapedText.printable(text).unicodeScalars {
      let isPlain =
        scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
        || " _.,:→“”".unicodeScalars.contains(scalar)
      if isPlain { escaped.unicodeScalars.append(scalar) } else { escaped += "#\(scalar.value);" }
    }
    return escaped
  }

  /// - Parameter end: the end of each line, an escape of Graphviz.
  private static func dotText(_ lines: [String], end: String) -> String {
    let texts = lines.map { line in
      // Graphviz reads HTML's codes in labels.
      escapingMarks(
        EscapedText.printable(line).inOneLine.replacingScalar("&", with: "&amp;")) + end
    }
    return quoted(texts.joined())
  }
}

extension Diagram.Row {
  /// The row as one text.
  fileprivate var line: String { text.isEmpty ? name : "\(name): \(text)" }
}
