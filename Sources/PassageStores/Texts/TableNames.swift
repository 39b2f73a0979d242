/// The names people give to tables and columns, and those they give to entities and properties.
///
/// A table `failed_banks` holds objects of the entity `FailedBank`, its column `close_date` is the
/// attribute `closeDate`; and back. The rule is English and needs no dictionary: a word that it gets
/// wrong is right again after the way back, and a model in JSON says every name as its author likes.
package enum TableNames {
  /// Plurals that follow no rule.
  private static let irregular = [
    ("person", "people"), ("child", "children"), ("man", "men"), ("woman", "women"),
    ("foot", "feet"), ("tooth", "teeth"), ("goose", "geese"), ("mouse", "mice"),
    ("movie", "movies"), ("cookie", "cookies"), ("tie", "ties"), ("cache", "caches"),
    ("axis", "axes"), ("analysis", "analyses"), ("crisis", "crises"), ("bus", "buses"),
  ]

  /// Words whose plural is the word.
  private static let unchanging: Set = [
    "data", "news", "series", "species", "sheep", "fish", "equipment", "information", "metadata",
    "media", "staff", "money",
  ]

  /// Names that objects of Core Data have already.
  private static let reserved: Set = [
    "description", "entity", "hash", "objectID", "self", "isDeleted", "isInserted", "isUpdated",
    "isFault", "hasChanges", "managedObjectContext", "observationInfo", "superclass", "class",
    "debugDescription", "zone",
  ]

  /// The entity whose objects a table holds: `failed_banks` gives `FailedBank`.
  package static func entity(table: String) -> String {
    var words = words(table)
    if let last = words.last { words[words.count - 1] = singular(last) }
    return identifier(words.map(capitalized).joined(), fallback: "Table")
  }

  /// The property a column is: `close_date` gives `closeDate`.
  package static func property(column: String) -> String {
    let words = words(column)
    let name = identifier(
      (words.first ?? "") + words.dropFirst().map(capitalized).joined(), fallback: "column")
    return reserved.contains(name) ? name + "Value" : name
  }

  /// The to-one relationship a foreign key is: `bank_id` gives `bank`, and `country_code` that leads
  /// to a column `code` gives `country`.
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

  /// The table that holds the objects of an entity: `FailedBank` gives `failed_banks`.
  package static func table(entity: String) -> String {
    var words = words(entity)
    if let last = words.last { words[words.count - 1] = plural(last) }
    let name = words.isEmpty ? "objects" : words.joined(separator: "_")
    // https://www.sqlite.org/fileformat2.html#internal_schema_objects
    return name.hasPrefix("sqlite_") ? "_" + name : name
  }

  /// The column a property is: `closeDate` gives `close_date`.
  package static func column(property: String) -> String {
    let words = words(property)
    return words.isEmpty ? "value" : words.joined(separator: "_")
  }

  /// The first of `name`, `name2`, `name3` … that is not taken, which is then taken.
  package static func unique(
    _ name: String, among taken: inout Set<String>, separator: String = ""
  ) -> String {
    var candidate = name
    var number = 2
    // SQL takes no notice of case.
    while !taken.insert(candidate.lowercased()).inserted {
      candidate = "\(name)\(separator)\(number)"
      number += 1
    }
    return candidate
  }

  // MARK: Words

  /// The words of a name in lower case: divided at everything that is no letter or digit, and before
  /// a capital that follows a small letter or begins a word after capitals.
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

  /// What remains of a name when only letters, digits and underscores do.
  private static func identifier(_ name: String, fallback: String) -> String {
    let kept = String(
      String.UnicodeScalarView(
        name.unicodeScalars.filter {
          $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType == .decimal
        }))
    guard let first = kept.unicodeScalars.first else { return fallback }
    return first == "_" || first.properties.isAlphabetic ? kept : "_" + kept
  }

  /// One of what a plural names.
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

  /// Several of what a word names.
  static func plural(_ word: String) -> String {
    if unchanging.contains(word) { return word }
    if let pair = irregular.first(where: { $0.0 == word }) { return pair.1 }
    guard let last = word.last else { return word }
    // "details" names several already.
    if singular(word) != word { return word }
    if last == "y", let before = word.dropLast().last, !"aeiou".contains(before) {
      return word.dropLast() + "ies"
    }
    for ending in ["s", "x", "z", "ch", "sh"] where word.hasSuffix(ending) { return word + "es" }
    return word + "s"
  }
}
