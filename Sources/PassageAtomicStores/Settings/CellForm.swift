internal import PassageDiagnostics
internal import PassageModels

/// What a file says about a cell besides its text. Delimited text and keyed records have text only;
/// JSON has several kinds of value.
enum CellForm: Hashable {
  /// Text that may be a value of any type.
  case text
  case null
  case string
  /// A number as it is written.
  case number
  case truth
  case list
  case object

  /// The form, for messages.
  var title: String {
    switch self {
    case .text: "text"
    case .null: "null"
    case .string: "a string"
    case .number: "a number"
    case .truth: "a truth value"
    case .list: "a list"
    case .object: "an object"
    }
  }

  /// What an attribute takes instead of this form; `nil` if it takes this form.
  ///
  /// A string may hold a value of any type in the form that it has in delimited text.
  func expected(for type: AttributeType, _ style: TextStyle) -> String? {
    switch (self, type) {
    case (.text, _), (.null, _), (.string, _): nil
    case (.number, .integer16), (.number, .integer32), (.number, .integer64), (.number, .double),
      (.number, .float), (.number, .decimal), (.number, .boolean), (.truth, .boolean):
      nil
    case (.number, .date) where style.dates != .iso: nil
    case (_, .date) where style.dates != .iso: "a number"
    case (_, .integer16), (_, .integer32), (_, .integer64), (_, .double), (_, .float),
      (_, .decimal):
      "a number"
    case (_, .boolean): "true or false"
    default: "a string"
    }
  }

  /// What an identifier is instead of this form; `nil` if this form can be one.
  func expectedForIdentifier(_ text: String?) -> String? {
    let expected = "a whole number in digits or a string that is not empty"
    switch self {
    case .text: return nil
    case .string: return text?.isEmpty == true ? expected : nil
    case .number:
      let digits = text?.utf8.drop { $0 == UInt8(ascii: "-") }
      return digits?.allSatisfy(DecimalText.isDigit) == true ? nil : expected
    case .null, .truth, .list, .object: return expected
    }
  }

  /// The mistake that a value has a form that its place does not take.
  ///
  /// - Parameters:
  ///   - what: the property, in quotation marks.
  ///   - expected: what is expected instead, as a noun phrase.
  func mistake(
    _ what: String, expected: String, at location: SourceLocation
  ) -> Diagnostic {
    Diagnostic("ATM-071", "\(what) is \(title): \(expected) is expected", at: location)
  }
}
