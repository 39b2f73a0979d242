/// What the parser of arguments says, with this project's quotation marks.
enum ParserSentence {
  /// Replaces the straight marks that the parser puts around an argument or the name of an option.
  ///
  /// - Parameters:
  ///   - sentence: what the parser says.
  ///   - arguments: those of the call. If one has such a mark itself, the sentence stays as it is:
  ///     which marks belong together cannot be told then.
  static func quoted(_ sentence: String, arguments: [String]) -> String {
    let mark: Unicode.Scalar = "'"
    guard !arguments.contains(where: { $0.unicodeScalars.contains(mark) }) else { return sentence }
    var text = String.UnicodeScalarView()
    var isOpen = false
    var previous: Unicode.Scalar = " "
    for scalar in sentence.unicodeScalars {
      if scalar == mark, isOpen {
        text.append("”")
        isOpen = false
      } else if scalar == mark, previous == " " {
        // In “Can't”, it is an apostrophe.
        text.append("“")
        isOpen = true
      } else {
        text.append(scalar)
      }
      previous = scalar
    }
    return isOpen ? sentence : String(text)
  }
}
