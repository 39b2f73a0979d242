internal import PassageModels

/// One cell of a record to write.
enum WrittenCell {
  case null
  /// The name of the entity.
  case name(String)
  /// The text of a value.
  case value(String, AttributeType)
  /// An identifier. It is text if an attribute that is not a whole number holds it.
  case identifier(String, isText: Bool)
  /// The identifiers of a to-many relationship, in its order.
  case identifiers([String], isText: Bool)

  /// The cell as a single text; `nil` for nil.
  ///
  /// - Parameter separator: the character between identifiers. A backslash before it, or before a
  ///   backslash, makes it part of an identifier.
  func text(listSeparator separator: UInt8) -> String? {
    switch self {
    case .null: nil
    case .name(let text), .value(let text, _), .identifier(let text, _): text
    case .identifiers(let list, _):
      list.isEmpty
        ? nil
        : list.map { Self.escaped($0, separator) }
          .joined(separator: String(UnicodeScalar(separator)))
    }
  }

  private static func escaped(_ identifier: String, _ separator: UInt8) -> String {
    let special = [separator, UInt8(ascii: "\\")]
    if !identifier.utf8.contains(where: special.contains) { return identifier }
    var text: [UInt8] = []
    for byte in identifier.utf8 {
      if special.contains(byte) { text.append(UInt8(ascii: "\\")) }
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
