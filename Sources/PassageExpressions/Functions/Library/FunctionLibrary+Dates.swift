import PassageDiagnostics
import PassageValues

extension FunctionLibrary {
  static let dates: [ValueFunction] =
    [
      ValueFunction("formatDate:", [.type(.date)], .string) {
        { values in Conversions.text(fromDate: values[0]) }
      },
      ValueFunction(
        "formatDate:pattern:timeZone:locale:",
        [.type(.date), .type(.string), .type(.string), .type(.string)], .string,
        check: DateTexts.check
      ) {
        let texts = DateTexts()
        return { values in
          guard let seconds = values[0].double, let pattern = values[1].string,
            let zone = values[2].string, let locale = values[3].string
          else { return .null }
          return try texts.text(seconds, pattern, zone, locale)
        }
      },
    ]
    + ValueFunction.reading("parseDate:", [.type(.string)], .date) {
      { values in
        let date = try Conversions.date(fromText: values[0])
        guard date.isNull else { return date }
        throw Diagnostic(
          FunctionCode.unreadable, "a text is not a date in the format of ISO 8601 or SQLite",
          remedy: "call parseDateOrNull, which returns nil, or name the pattern")
      }
    }
    + ValueFunction.reading(
      "parseDate:pattern:timeZone:locale:",
      [.type(.string), .type(.string), .type(.string), .type(.string)], .date,
      check: DateTexts.check
    ) {
      let texts = DateTexts()
      return { values in
        guard let text = values[0].string, let pattern = values[1].string,
          let zone = values[2].string, let locale = values[3].string
        else { return .null }
        return try texts.date(text, pattern, zone, locale)
      }
    }
}
