internal import PassagePlatform

/// A name of the layout that contains an entity's number: `Z5_OWNER`, `Z14PARAMETERS`, `Z_5OWNERS`,
/// `Z_FOK_5OWNERS`. When Core Data migrates a store in place, entities get new numbers but the
/// names keep the old ones. Names are therefore compared without the number, byte by byte as SQLite
/// compares them.
struct NumberedName: Hashable {
  /// The part before the number.
  var prefix: String
  /// The part after the number.
  var rest: String

  static func == (first: Self, second: Self) -> Bool {
    first.prefix == second.prefix && first.rest.hasBytes(of: second.rest)
  }

  // Texts of the same bytes are equal to Swift too.
  func hash(into hasher: inout Hasher) {
    hasher.combine(prefix)
    hasher.combine(rest)
  }

  /// - Parameter name: in upper case.
  /// - Returns: `nil` if the name has no number in the place where Core Data writes one.
  init?(_ name: String) {
    let prefix = ["Z_FOK_", "Z_", "Z"].first { name.hasPrefix($0) }
    guard let prefix else { return nil }
    let digits = name.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty else { return nil }
    self.prefix = prefix
    rest = String(name.dropFirst(prefix.count + digits.count))
  }

  /// The name among `names` that differs from `name` only in its number; `nil` if there is none, or
  /// more than one.
  static func match(_ name: String, among names: [String]) -> String? {
    guard let wanted = NumberedName(name.uppercasedInASCII) else { return nil }
    let found = names.filter { NumberedName($0.uppercasedInASCII) == wanted }
    return found.count == 1 ? found[0] : nil
  }

  /// The name among `names` that differs from `name` only in its number, and in the number at its
  /// end that tells it from an equal name; `nil` if there is none, or more than one.
  ///
  /// - Parameter title: what both have between these numbers, in upper case.
  static func match(_ name: String, telling title: String, among names: [String]) -> String? {
    guard let wanted = NumberedName(name.uppercasedInASCII) else { return nil }
    let found = names.filter { candidate in
      guard let candidate = NumberedName(candidate.uppercasedInASCII) else { return false }
      return candidate.prefix == wanted.prefix && candidate.rest.utf8.starts(with: title.utf8)
        && candidate.rest.utf8.dropFirst(title.utf8.count).allSatisfy {
          (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
    }
    return found.count == 1 ? found[0] : nil
  }
}
