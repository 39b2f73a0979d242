internal import PassagePlatform
package import PassageStores

extension MarkupPropertyList {
  /// The XML of a value, with each element on a line of its own. References of keyed archives are
  /// left out.
  ///
  /// - Parameter indentation: the number of steps of four spaces.
  package static func write(_ value: PropertyList, indentation: Int) -> String {
    let space = String(repeating: "    ", count: indentation)
    func line(_ name: String, _ text: String) -> String {
      "\(space)<\(name)>\(MarkupText.escaped(text))</\(name)>\n"
    }
    switch value {
    case .dictionary(let members):
      let inner = members.compactMap { member -> String? in
        if case .uid = member.value { return nil }
        return "\(space)    <key>\(MarkupText.escaped(member.key))</key>\n"
          + write(member.value, indentation: indentation + 1)
      }
      return "\(space)<dict>\n\(inner.joined())\(space)</dict>\n"
    case .array(let elements):
      let inner = elements.map { write($0, indentation: indentation + 1) }
      return "\(space)<array>\n\(inner.joined())\(space)</array>\n"
    case .string(let text): return line("string", text)
    case .integer(let number): return line("integer", "\(number)")
    case .unsignedInteger(let number): return line("integer", "\(number)")
    case .real(let number): return line("real", "\(number)")
    case .bool(let isTrue): return "\(space)<\(isTrue ? "true" : "false")/>\n"
    case .date(let seconds):
      let text = DateText.text(seconds.rounded(.down))?.replacing(" ", with: "T") ?? ""
      return line("date", text + "Z")
    case .data(let bytes): return line("data", Data(bytes).base64EncodedString())
    case .uid: return ""
    }
  }
}
