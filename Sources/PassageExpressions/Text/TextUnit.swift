/// What a text is made of where one text is looked for in another.
enum TextUnit: Sendable, Hashable {
  /// Without options and with `[n]`: code units, and code points for `?` of `LIKE`. What differs in
  /// its bytes differs.
  case codeUnits
  /// With `[c]`, `[d]` and `[cd]`: the folded text's letters, as a reader sees them (Unicode's extended
  /// grapheme clusters). A letter is found whole or not at all, so `[c]` alone never parts a letter from
  /// its accent, a Hangul syllable from its last sound or a sign from its colour.
  case letters
}
