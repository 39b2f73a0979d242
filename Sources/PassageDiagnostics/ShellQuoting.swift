extension String {
  /// The text as one word of a POSIX shell, for commands in remedies that are meant to be pasted.
  package var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
