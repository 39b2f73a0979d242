/// How values that are not text are written as text.
package struct TextStyle: Sendable, Hashable {
  /// How dates are written.
  package enum Dates: String, Sendable, Hashable, CaseIterable {
    /// `2010-03-19T08:30:15.25Z`, with as many digits as give the same date back.
    case iso
    /// Seconds since 1970-01-01 00:00:00 UTC.
    case unix
    /// Seconds since 2001-01-01 00:00:00 UTC, as in Core Data's stores.
    case reference
  }

  /// How bytes are written.
  package enum Binary: String, Sendable, Hashable, CaseIterable {
    case base64
    case hex
  }

  package var dates = Dates.iso
  /// The text of true.
  package var trueText = "true"
  /// The text of false.
  package var falseText = "false"
  package var binary = Binary.base64

  /// The style of files without settings.
  package init() {}
}
