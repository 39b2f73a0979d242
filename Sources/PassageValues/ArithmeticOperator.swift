/// The arithmetic operators that are SQLite's own, spelled as in SQL.
package enum ArithmeticOperator: String, Sendable, CaseIterable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case bitwiseAnd = "&"
  case bitwiseOr = "|"
  case leftShift = "<<"
  case rightShift = ">>"
}
