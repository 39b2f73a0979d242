/// What is wrong with the elements of a text in HTML or XML, as far as names of elements tell.
enum ClosedElements {
  /// The names of elements that are closed but not open, and of those that stay open.
  static func mistakes(in text: String) -> [String] {
    let alone: Set<Substring> = ["meta", "!doctype"]
    var open: [Substring] = []
    var found: [String] = []
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      let tag = rest[start...].dropFirst().prefix { $0 != ">" }
      rest = rest[tag.endIndex...]
      let name = tag.drop { $0 == "/" }.prefix { !$0.isWhitespace && $0 != "/" }
      if tag.hasPrefix("/") {
        if open.popLast() != name { found.append(String(name)) }
      } else if !alone.contains(name), !tag.hasSuffix("/") {
        open.append(name)
      }
      if name == "style", !tag.hasPrefix("/") {
        rest = rest[(rest.firstRange(of: "</style>")?.lowerBound ?? rest.endIndex)...]
      }
    }
    return found + open.map(String.init)
  }
}
