/// The unit by which one text is searched for in another.
enum TextUnit: Sendable, Hashable {
  /// Without options and with `[n]`: code units, and code points for `?` of `LIKE`. Texts with
  /// different bytes differ.
  case codeUnits
  /// With `[c]`, `[d]` and `[cd]`: the letters of the folded text as a reader sees them (Unicode's
  /// extended grapheme clusters). A match contains whole letters only, so `[c]` alone never
  /// separates a letter from its accent, a Hangul syllable from its final consonant or an emoji
  /// from its skin tone.
  case letters
}
