extension String {
  /// The last place of a character of ASCII, as `lastIndex(of:)` finds it, which takes every character
  /// apart.
  package func lastIndex(ofPlain character: Character) -> Index? {
    guard let byte = character.asciiValue, let last = utf8.lastIndex(of: byte) else { return nil }
    // With a mark that follows, it is another character.
    return self[last] == character ? last : lastIndex(of: character)
  }
}
