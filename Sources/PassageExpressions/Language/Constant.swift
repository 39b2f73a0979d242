/// A literal of the expression language.
package enum Constant: Sendable, Hashable {
  /// `nil` or `NULL`.
  case null
  /// `YES`, `TRUE`, `NO` or `FALSE`.
  case boolean(Bool)
  /// A number without point and exponent that fits in 64 bits.
  case integer(Int64)
  /// Any other number; finite.
  case real(Double)
  /// Text in single or double quotation marks, escapes resolved.
  case string(String)
}
