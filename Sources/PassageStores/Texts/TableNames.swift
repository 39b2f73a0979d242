/// Converts between the names of tables and columns and the names of entities and properties.
///
/// A table `failed_banks` holds objects of the entity `FailedBank`, its column `close_date` is the
/// attribute `closeDate`, and the reverse. The rules are for English and use no dictionary. A word
/// that they convert wrongly is right again after converting back, and a model in JSON can give any
/// name explicitly.
package enum TableNames {
  /// Irregular plurals.
  private static let irregular = [
    ("person", "people"), ("child", "children"), ("man", "men"), ("woman", "women"),
    ("foot", "feet"), ("tooth", "teeth"), ("goose", "geese"), ("mouse", "mice"),
    ("movie", "movies"), ("cookie", "cookies"), ("tie", "ties"), ("cache", "caches"),
    ("axis", "axes"), ("analysis", "analyses"), ("crisis", "crises"), ("bus", "buses"),
  ]

  /// Words whose plural is the same as the singular.
  private static let unchanging: Set = [
    "data", "news", "series", "species", "sheep", "fish", "equipment", "information", "metadata",
    "media", "staff", "money",
  ]

  /// Names that Core Data's objects already use.
  private static let reserved: Set = [
    "description", "entity", "hash", "objectID", "self", "isDeleted", "isInserted", "isUpdated",
    "isFault", "hasChanges", "managedObjectContext", "observationInfo", "superclass", "class",
    "debugDescription", "zone",
  ]

  /// The entity for a table: `failed_banks` gives `FailedBank`.
  package static func entity(table: String) -> String {
    var words = words(table)
    if let last = words.last { words[words.count - 1] = singular(last) }
    return identifier(words.map(capitalized).joined(), fallback: "Table")
  }

  /// The property for a column: `close_date` gives `closeDate`.
  package static func property(column: String) -> String {
    let words = words(column)
    let name = identifier(
      (words.first ?? "") + words.dropFirst().map(capitalized).joined(), fallback: "column")
    return reserved.contains(name) ? name + "Value" : name
  }

  /// The to-one relationship for a foreign key: `bank_id` gives `bank`, and `country_code` that
  /// refers to a column `code` gives `country`.
  package static func relationship(column: String, to parentColumn: String = "id") -> String {
    var words = words(column)
    let ending = Self.words(parentColumn)
    if words.count > 1, ["id", "fk", "key", "ref"].contains(words[words.count - 1]) {
      words.removeLast()
    } else if words.count > ending.count, Array(words.suffix(ending.count)) == ending {
      words.removeLast(ending.count)
    }
    return property(column: words.isEmpty ? column : words.joined(separator: "_"))
  }

  /// The table for an entity: `FailedBank` gives `failed_banks`.
  package static func table(entity: String) -> String {
    var words = words(entity)
    if let last = words.last { words[words.count - 1] = plural(last) }
    let name = words.isEmpty ? "objects" : words.joined(separator: "_")
    // https://www.sqlite.org/fileformat2.html#internal_schema_objects
    return name.hasPrefix("sqlite_") ? "_" + name : name
  }

  /// The column for a property: `closeDate` gives `close_date`.
  package static func column(property: String) -> String {
    let words = words(property)
    return words.isEmpty ? "value" : words.joined(separator: "_")
  }

  /// The first of `name`, `name2`, `name3` … that is not taken; after a hundred, one that is not taken and
  /// follows one that is. It is added to the taken names.
  ///
  /// - Complexity: O(log n) for n names that differ in their number alone.
  package static func unique(
    _ name: String, among taken: inout Set<String>, separator: String = ""
  ) -> String {
    // SQL ignores case in names.
    if taken.insert(name.lowercased()).inserted { return name }
    func numbered(_ number: Int) -> String { "\(name)\(separator)\(number)" }
    func isTaken(_ number: Int) -> Bool { taken.contains(numbered(number).lowercased()) }
    let found = numbered((2...100).first { !isTaken($0) } ?? freeNumber(after: 100, isTaken))
    taken.insert(found.lowercased())
    return found
  }

  /// A number that is not taken and follows one that is, found by halving.
  ///
  /// - Parameter taken: a number that is taken.
  private static func freeNumber(after taken: Int, _ isTaken: (Int) -> Bool) -> Int {
    var (last, next) = (taken, 2 * taken)
    while isTaken(next) { (last, next) = (next, 2 * next) }
    while next - last > 1 {
      let middle = (last + next) / 2
      if isTaken(middle) { last = middle } else { next = middle }
    }
    return next
  }

  // MARK: Words

  /// The words of a name in lower case. A name is divided at every character that is not a letter
  /// or digit, before an upper-case letter that follows a lower-case letter, and before the last of
  /// several upper-case letters if a lower-case letter follows.
  package static func words(_ name: String) -> [String] {
    var words: [String] = []
    var word = ""
    let characters = Array(name)
    for (index, character) in characters.enumerated() {
      guard character.isLetter || character.isNumber else {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      if character.isUppercase, let last = word.last {
        let next = characters.indices.contains(index + 1) ? characters[index + 1] : nil
        if !last.isUppercase || (next?.isLowercase == true) {
          words.append(word)
          word = ""
        }
      }
      word.append(character)
    }
    if !word.isEmpty { words.append(word) }
    return words.map { $0.lowercased() }
  }

  private static func capitalized(_ word: String) -> String {
    guard let first = word.first else { return word }
    return first.uppercased() + word.dropFirst()
  }

  /// The longest name in bytes that is made of a table or column, with room for a number and a word behind it.
  package static let maximumBytes = 900

  /// A name reduced to letters, digits and underscores, and to its beginning if it is long.
  private static func identifier(_ name: String, fallback: String) -> String {
    var kept = String(
      String.UnicodeScalarView(
        name.unicodeScalars.filter {
          $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType == .decimal
        }))
    if kept.utf8.count > maximumBytes {
      // None takes more than four bytes.
      kept = String(kept.unicodeScalars.prefix(maximumBytes / 4))
    }
    guard let first = kept.unicodeScalars.first else { return fallback }
    return first == "_" || first.properties.isAlphabetic ? kept : "_" + kept
  }

  /// The singular of a word.
  package static func singular(_ word: String) -> String {
    if unchanging.contains(word) { return word }
    if let pair = irregular.first(where: { $0.1 == word }) { return pair.0 }
    func drop(_ count: Int, _ ending: String = "") -> String { word.dropLast(count) + ending }
    guard word.hasSuffix("s"), word.count > 2 else { return word }
    if word.hasSuffix("ies"), word.count > 4 { return drop(3, "y") }
    for ending in ["sses", "shes", "ches", "xes", "zzes"] where word.hasSuffix(ending) {
      return drop(2)
    }
    if word.hasSuffix("uses"), word.count > 5 { return drop(2) }
    for ending in ["ss", "us", "is"] where word.hasSuffix(ending) { return word }
    return drop(1)
  }

  /// The plural of a word.
  static func plural(_ word: String) -> String {
    if unchanging.contains(word) { return word }
    if let pair = irregular.first(where: { $0.0 == word }) { return pair.1 }
    guard let last = word.last else { return word }
    // "details" is a plural already.
    if singular(word) != word { return word }
    if last == "y", let before = word.dropLast().last, !"aeiou".contains(before) {
      return word.dropLast() + "ies"
    }
    for ending in ["s", "x", "z", "ch", "sh"] where word.hasSuffix(ending) { return word + "es" }
    return word + "s"
  }
}
