/// Words and signs of SQL, Swift and other languages that people write out of habit, with their
/// equivalents in the format language. They have no meaning here and are only used in messages.
enum HabitualWords {
  /// Words in place of an operator, in upper case; `{}` is the left side.
  static let operators: [String: String] = [
    "ILIKE": "write {} LIKE[c] with * for any text and ? for one character",
    "GLOB": "write {} LIKE with * for any text and ? for one character",
    "REGEXP": "write {} MATCHES with a regular expression for the whole text",
    "RLIKE": "write {} MATCHES with a regular expression for the whole text",
    "STARTSWITH": "write {} BEGINSWITH", "HASPREFIX": "write {} BEGINSWITH",
    "HASSUFFIX": "write {} ENDSWITH", "INCLUDES": "write {} CONTAINS", "HAS": "write {} CONTAINS",
    "EQUALS": "write {} ==", "EQUAL": "write {} ==", "EQ": "write {} ==", "NE": "write {} !=",
    "GT": "write {} >", "GE": "write {} >=", "LT": "write {} <", "LE": "write {} <=",
    "ISNULL": "write {} == nil", "NOTNULL": "write {} != nil",
    "MOD": "write modulus:by:({}, …)", "DIV": "write {} / …", "XOR": "write ^ between two numbers",
    "AS": "write CAST({}, \"NSString\"), with the name of a class in quotation marks",
    "WHEN": ternary, "THEN": ternary, "ELSE": ternary,
    "ESCAPE": "a backslash makes a wildcard an ordinary character: LIKE \"50\\\\*\"",
    "COLLATE": "write the options after the operator: [c] ignores case, [d] diacritics",
    "NULL": "write {} == nil", "NIL": "write {} == nil",
    // Selectors between two values, such as `name isEqualToString: "a"`.
    "ISKINDOFCLASS": ofOneEntity, "ISMEMBEROFCLASS": ofOneEntity,
    "ISEQUAL": "write {} ==", "ISEQUALTO": "write {} ==", "ISEQUALTOSTRING": "write {} ==",
    "ISEQUALTONUMBER": "write {} ==", "ISEQUALTODATE": "write {} ==",
    "ISEQUALTODATA": "write {} ==", "ISEQUALTOVALUE": "write {} ==",
    "CASEINSENSITIVECOMPARE": "write {} ==[c]", "LOCALIZEDCASEINSENSITIVECOMPARE": "write {} ==[c]",
    "COMPARE": anOrder, "LOCALIZEDCOMPARE": anOrder, "LOCALIZEDSTANDARDCOMPARE": anOrder,
    "CONTAINSSTRING": "write {} CONTAINS", "CONTAINSOBJECT": "write {} CONTAINS",
    "LOCALIZEDSTANDARDCONTAINSSTRING": "write {} CONTAINS[cd]",
    "LOCALIZEDSTANDARDCONTAINS": "write {} CONTAINS[cd]",
    "LOCALIZEDCASEINSENSITIVECONTAINSSTRING": "write {} CONTAINS[c]",
  ]

  private static let ofOneEntity =
    "leave it out: a filter is evaluated for the objects of one entity, without its subentities"
  private static let anOrder = "write {} <, {} == or {} >"

  static let ternary = "write TERNARY(condition, a, b)"

  /// Words that begin another clause of a statement, in upper case.
  static let clauses: Set<String> = [
    "SELECT", "FROM", "WHERE", "ORDER", "GROUP", "HAVING", "LIMIT", "OFFSET", "DELETE", "UPDATE",
  ]

  /// Functions by name in lower case, without colons.
  static let functions: [String: String] = [
    "len": "write length:(text)", "char_length": "write length:(text)",
    "strlen": "write length:(text)", "upper": "write uppercase:(text)",
    "ucase": "write uppercase:(text)", "lower": "write lowercase:(text)",
    "lcase": "write lowercase:(text)",
    "substr": "write substring(text, start, length), counted from 0",
    "mid": "write substring(text, start, length), counted from 0",
    "left": "write substring(text, 0, length)", "ifnull": "write coalesce(a, b)",
    "nvl": "write coalesce(a, b)", "isnull": "write a == nil, or coalesce(a, b)",
    "iif": ternary, "case": ternary, "mod": "write modulus:by:(a, b)",
    "modulus": "write modulus:by:(a, b)", "ceil": "write ceiling:(a)",
    "round": "write floor:(a + 0.5)", "pow": "write a ** b", "power": "write a ** b",
    "concat": "write concatenate(a, b)", "instr": "write text CONTAINS part",
    "strpos": "write text CONTAINS part", "ltrim": "write trim(text)", "rtrim": "write trim(text)",
    "avg": "write collection.@avg.name, or average:(collection)",
    "group_concat": "write join(separator, a, b)",
    "exists": "write collection.@count > 0", "isempty": "write collection.@count == 0",
    "date": aDate, "datetime": aDate, "timestamp": aDate, "julianday": aDate, "todate": aDate,
    "to_date": "write parseDate(text, pattern, timeZone, locale)",
    "str_to_date": "write parseDate(text, pattern, timeZone, locale)",
    "strftime": "write formatDate(date, pattern, timeZone, locale)",
    "date_format": "write formatDate(date, pattern, timeZone, locale)",
    "getdate": present, "current_timestamp": present, "today": present,
    "int": "write CAST(a, \"NSNumber\")", "integer": "write CAST(a, \"NSNumber\")",
    "to_number": "write CAST(a, \"NSNumber\")", "str": "write CAST(a, \"NSString\")",
    "string": "write CAST(a, \"NSString\")", "to_char": "write CAST(a, \"NSString\")",
    "uuid": "write the UUID as a text in quotation marks",
    "compare": "write a < b, a == b or a > b", "caseinsensitivecompare": "write a ==[c] b",
    "localizedstandardcontainsstring": "write text CONTAINS[cd] part",
    "localizedcaseinsensitivecontainsstring": "write text CONTAINS[c] part",
    "stringbytrimmingcharactersinset": "write trim(text), or trim(text, characters)",
    "componentsseparatedbystring": "write split(text, separator, index)",
    "stringbyappendingformat": "write concatenate(a, b)",
    "stringwithformat": "write concatenate(a, b)", "rangeofstring": "write text CONTAINS part",
    "isnan": "a store keeps NaN as nil: write a == nil", "objectid": "write SELF",
  ]

  private static let aDate =
    "write the date as a text, as in \"2024-01-31T12:00:00Z\"; the present is now()"
  private static let present = "write now()"

  /// Names of values, in lower case.
  static let values: [String: String] = [
    "now": present, "current_timestamp": present, "current_date": present, "today": present,
    "sysdate": present, "nan": "a store keeps NaN as nil: write == nil",
    "infinity": "write 1e308 * 10", "inf": "write 1e308 * 10", "none": "write nil",
    "undefined": "write nil", "y": "write YES", "n": "write NO",
  ]

  /// Methods called after a point, in lower case; `{}` is the receiver.
  static let methods: [String: String] = [
    "contains": "write {} CONTAINS …", "includes": "write {} CONTAINS …",
    "hasprefix": "write {} BEGINSWITH …", "startswith": "write {} BEGINSWITH …",
    "hassuffix": "write {} ENDSWITH …", "endswith": "write {} ENDSWITH …",
    "isequal": "write {} == …", "equals": "write {} == …",
    "count": "write {}.@count for a collection, {}.length for a text",
    "length": "write {}.length without parentheses", "size": "write {}.@count",
    "isempty": "write {}.@count == 0 for a collection, {} == \"\" for a text",
    "uppercased": "write uppercase:({})", "touppercase": "write uppercase:({})",
    "lowercased": "write lowercase:({})", "tolowercase": "write lowercase:({})",
    "matches": "write {} MATCHES …", "tostring": "write CAST({}, \"NSString\")",
  ]

  /// Properties that collections have in other languages, in lower case; `{}` is the collection.
  static let collectionProperties: [String: String] = [
    "count": "write {}.@count", "size": "write {}.@count", "length": "write {}.@count",
    "isempty": "write {}.@count == 0", "first": "write {}[FIRST]", "last": "write {}[LAST]",
    "sum": "write {}.@sum with the name of an attribute after it",
    "min": "write {}.@min with the name of an attribute after it",
    "max": "write {}.@max with the name of an attribute after it",
    "avg": "write {}.@avg with the name of an attribute after it",
    "average": "write {}.@avg with the name of an attribute after it",
  ]

  /// The equivalent of a property of Foundation's classes; `nil` for other names.
  ///
  /// - Returns: a remedy in which `{}` is the value.
  static func property(_ name: String, of type: ValueType) -> String? {
    switch (name, type.isText) {
    case ("description", _): "write CAST({}, \"NSString\")"
    case ("doubleValue", true), ("floatValue", true), ("intValue", true), ("integerValue", true),
      ("longLongValue", true), ("decimalValue", true):
      "write CAST({}, \"NSNumber\"), which is nil for a text that is not a number"
    case ("boolValue", true): "write TERNARY({} IN {\"1\", \"YES\", \"true\"}, YES, NO)"
    case ("floatValue", false), ("decimalValue", false): "write {}.doubleValue"
    case ("shortValue", false), ("charValue", false), ("unsignedIntegerValue", false),
      ("unsignedIntValue", false), ("unsignedLongLongValue", false):
      "write {}.integerValue"
    case ("localizedUppercaseString", true): "write uppercase:({})"
    case ("localizedLowercaseString", true): "write lowercase:({})"
    case ("stringByTrimmingCharactersInSet", true): "write trim({})"
    default: nil
    }
  }

  /// Characters that have no meaning here, with remedies.
  static let characters: [Unicode.Scalar: String] = {
    let quotation = "write straight quotation marks, as in \"text\""
    var remedies: [Unicode.Scalar: String] = [
      "`": "leave out the quotation marks, and put a # before a name that is a keyword",
      ";": "join several conditions with AND",
      "?": "write a value; placeholders are %@ and $NAME, and TERNARY(condition, a, b) chooses",
      "≠": "write !=", "≤": "write <=", "≥": "write >=", "×": "write *", "÷": "write /",
      "∧": "write AND", "∨": "write OR", "¬": "write NOT", "−": "write -", "–": "write -",
      "∈": "write IN",
    ]
    for mark in "“”„‘’‚«»".unicodeScalars { remedies[mark] = quotation }
    return remedies
  }()
}
