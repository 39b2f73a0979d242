extension String {
  /// The text as one word of a POSIX shell, for commands in remedies: pasted, it is the text again.
  package var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
