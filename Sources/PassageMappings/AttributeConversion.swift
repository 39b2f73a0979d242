internal import PassageExpressions
import PassageModels

/// An expression that converts the values of an attribute to another type. If it cannot read a text,
/// it ends the migration; `CAST` would give nil.
struct AttributeConversion {
  let expression: String
  /// What the expression assumes; `nil` if it assumes nothing.
  let note: String?

  /// The expression, and what it assumes.
  var text: String { note.map { "\(expression) \($0)" } ?? expression }

  /// - Parameter path: the values.
  /// - Returns: `nil` if no expression converts them.
  init?(from old: Attribute, to type: AttributeType, at path: ValueExpression) {
    var note: String?
    switch (old.type, type) {
    case (.string, .date): expression = "parseDate(\(path))"
    case (.string, .integer16), (.string, .integer32), (.string, .integer64), (.string, .double),
      (.string, .float), (.string, .decimal):
      expression = "parseNumber(\(path), 'en_US_POSIX')"
    case (.string, .boolean):
      expression = "TERNARY(\(path) IN {'1', 'true', 'yes', 'YES'}, YES, NO)"
      note = "for the texts that mean yes"
    case (.string, .binary): expression = "dataFromText(\(path), 'utf-8')"
    case (.binary, .string): expression = "textFromData(\(path), 'utf-8')"
    case (.string, .uuid): expression = "uuidFromText(\(path))"
    case (.integer16, .string), (.integer32, .string), (.integer64, .string), (.double, .string),
      (.float, .string), (.decimal, .string), (.boolean, .string), (.date, .string),
      (.uuid, .string):
      expression = "CAST(\(path), 'NSString')"
    case (.integer16, .date), (.integer32, .date), (.integer64, .date), (.double, .date),
      (.float, .date), (.decimal, .date):
      expression = "CAST(\(path), 'NSDate')"
      note = "for seconds since 2001-01-01 UTC"
    case (.date, .integer16), (.date, .integer32), (.date, .integer64), (.date, .double),
      (.date, .float), (.date, .decimal):
      expression = "\(path).timeIntervalSince1970"
      note = "for seconds since 1970-01-01 UTC"
    default: return nil
    }
    self.note = note
  }
}
