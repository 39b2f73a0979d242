extension String {
  /// The last place of a character of ASCII, as the file system finds it: by bytes. `lastIndex(of:)` takes a
  /// mark that follows into the character, and every character apart.
  package func lastIndex(ofPlain character: Character) -> Index? {
    character.asciiValue.flatMap { utf8.lastIndex(of: $0) }
  }
}
