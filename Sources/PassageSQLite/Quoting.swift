internal import PassagePlatform

extension String {
  /// The text as an SQL identifier. Names from files are used in SQL only in this form.
  ///
  /// https://www.sqlite.org/lang_keywords.html: a keyword in double quotes is an identifier. A NUL
  /// would end the statement, so it is removed; the name of a table cannot contain one.
  package var quotedIdentifier: String {
    // Few names have one of them, and to replace nothing takes long.
    let quote = UInt8(ascii: "\"")
    guard utf8.contains(where: { $0 == 0 || $0 == quote }) else { return "\"" + self + "\"" }
    return "\"" + replacingScalar("\0", with: "").doubling("\"") + "\""
  }
}

extension String {
  /// The text as an SQL string literal, for the few places where a statement accepts no parameter.
  package var quotedLiteral: String {
    "'" + replacingScalar("\0", with: "").doubling("'") + "'"
  }
}
