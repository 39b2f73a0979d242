internal import PassagePlatform

extension String {
  /// The text as one word of a shell, for commands in remedies that are meant to be pasted.
  ///
  /// A word with control characters is written `$'…'`, so that it can be printed: that is a word of POSIX since
  /// 2024, and of bash, zsh and ksh long before
  /// (https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02_04).
  package var shellQuoted: String {
    guard unicodeScalars.contains(where: \.isControl) else {
      return "'\(replacingScalar("'", with: #"'\''"#))'"
    }
    let text = replacingScalars { scalar in
      if scalar == "'" || scalar == "\\" { return "\\\(scalar)" }
      guard scalar.isControl else { return nil }
      return String(scalar).utf8.map { byte in
        "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
    }
    return "$'\(text)'"
  }
}
