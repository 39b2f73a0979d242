internal import Foundation
package import PassageDiagnostics
package import PassageStores

/// Reads property lists in XML.
package enum MarkupPropertyList {
  /// The list's value; `nil` if the XML is not a property list.
  ///
  /// - Throws: the errors of ``MarkupReader``, which limits the depth.
  package static func read(_ bytes: [UInt8], file: String) throws(Diagnostics) -> PropertyList? {
    let root = try MarkupReader.read(bytes, file: file)
    guard root.name == "plist", let first = root.children.first else { return nil }
    return value(first)
  }

  /// The value of an element of a property list; `nil` for any other element.
  package static func value(_ element: MarkupElement) -> PropertyList? {
    switch element.name {
    case "string": return .string(element.text)
    case "integer":
      let text = element.text.trimmingCharacters(in: .whitespacesAndNewlines)
      return Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsignedInteger($0) }
    case "real":
      return Double(element.text.trimmingCharacters(in: .whitespacesAndNewlines)).map { .real($0) }
    case "date": return DateText.seconds(element.text).map { .date($0) }
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "data":
      return Data(base64Encoded: element.text, options: .ignoreUnknownCharacters)
        .map { .data(Array($0)) }
    case "array":
      var elements: [PropertyList] = []
      for child in element.children {
        guard let value = value(child) else { return nil }
        elements.append(value)
      }
      return .array(elements)
    case "dict": return dictionary(element.children)
    default: return nil
    }
  }

  /// A dictionary from alternating keys and values.
  private static func dictionary(_ children: [MarkupElement]) -> PropertyList? {
    guard children.count.isMultiple(of: 2) else { return nil }
    var members: [PropertyList.Member] = []
    for position in stride(from: 0, to: children.count, by: 2) {
      guard children[position].name == "key", let value = value(children[position + 1]) else {
        return nil
      }
      members.append(PropertyList.Member(children[position].text, value))
    }
    return .dictionary(members)
  }
}
