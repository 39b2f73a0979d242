/// Describes the rules of XML that a file can break. The parser reports them as numbers
/// (https://gnome.pages.gitlab.gnome.org/libxml2/html/xmlerror_8h.html).
enum MarkupRule {
  /// The broken rule for an error number of the parser.
  static func broken(_ number: Int) -> String { sentences[number] ?? "it breaks a rule of XML" }

  private static let sentences: [Int: String] = [
    4: "the file is empty",
    5: "the file ends before its elements are closed, or goes on after the last",
    9: "XML does not allow this character",
    22: "a reference has no name after its &", 23: "a reference has no semicolon at its end",
    26: "an entity is used that was never declared",
    27: "an entity is used that was never declared",
    31: "the encoding that the file declares is not known",
    32: "the encoding that the file declares is not known",
    38: "a value contains <; write &lt;", 39: "the value has no quotation mark before it",
    40: "a value has no closing quotation mark, or more than 10,000,000 bytes",
    41: "an attribute has no value",
    42: "an attribute occurs twice in one element", 45: "a comment is not closed",
    47: "an instruction is not closed", 56: "the document type is not closed",
    57: "the XML declaration is not closed", 63: "a section of characters is not closed",
    64: "an XML declaration is not allowed here",
    65: "a space is missing", 68: "a name is expected after the <", 73: "a > is missing",
    75: "an = is missing after an attribute's name",
    76: "an element is closed with the name of another", 77: "an element is not closed",
    78: "text is outside the root element", 79: "the encoding has no name",
    81: "the bytes do not fit the encoding",
    85: "an element is not complete", 86: "text follows the root element",
    88: "an entity contains itself", 89: "entities grow too large", 110: "a name is too long",
    111: "reading was stopped", 114: "a value is too long",
  ]
}
