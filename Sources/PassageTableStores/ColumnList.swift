internal import PassageSQLite

/// The names of columns in one text, as the user info of a relationship has them: `a,b`. A name with
/// a comma of its own is in quotation marks, as SQL has them: `"a,b",c`.
enum ColumnList {
  static func text(_ names: [String]) -> String {
    let comma = UInt8(ascii: ",")
    let mark = UInt8(ascii: "\"")
    return names.map { name in
      let isQuoted =
        name.utf8.contains(comma) || (names.count > 1 && name.utf8.first == mark)
      return isQuoted ? name.quotedIdentifier : name
    }.joined(separator: ",")
  }

  /// - Complexity: O(n) in the scalars.
  static func names(_ text: String) -> [String] {
    let scalars = Array(text.unicodeScalars)
    var names: [String] = []
    var position = 0
    while position < scalars.count {
      var name = String.UnicodeScalarView()
      if scalars[position] == "\"" {
        position += 1
        while position < scalars.count {
          if scalars[position] == "\"" {
            position += 1
            // A mark that is written twice is one of the name's.
            guard position < scalars.count, scalars[position] == "\"" else { break }
          }
          name.append(scalars[position])
          position += 1
        }
      }
      while position < scalars.count, scalars[position] != "," {
        name.append(scalars[position])
        position += 1
      }
      position += 1
      if !name.isEmpty { names.append(String(name)) }
    }
    return names
  }
}
