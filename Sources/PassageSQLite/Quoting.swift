extension String {
  /// The text as an SQL identifier. Names from files reach SQL only through this.
  ///
  /// https://www.sqlite.org/lang_keywords.html: a keyword in double quotes is an identifier. A NUL
  /// would end the statement early, so it is left out; no table can have one in its name.
  package var quotedIdentifier: String {
    "\"" + replacing("\0", with: "").replacing("\"", with: "\"\"") + "\""
  }
}

extension String {
  /// The text as an SQL string literal, for the few places where a statement takes no parameter.
  package var quotedLiteral: String {
    "'" + replacing("\0", with: "").replacing("'", with: "''") + "'"
  }
}
