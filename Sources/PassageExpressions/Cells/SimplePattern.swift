import PassageValues

/// A pattern of `LIKE` that is one text, or one text with asterisks before it, after it or around it.
struct SimplePattern {
  let text: String
  let test: CellTextTest
  let unit: CellTextUnit

  /// `nil` for any other pattern, and for one whose letters may not be those of the bytes: not in
  /// ASCII, or with line breaks, where letters matter.
  init?(_ pattern: String, by textUnit: TextUnit) {
    var scalars = String.UnicodeScalarView()
    var (isEscaped, isOpenBefore, isOpenAfter) = (false, false, false)
    for scalar in pattern.unicodeScalars {
      if !isEscaped, scalar == "?" { return nil }
      if !isEscaped, scalar == "*" {
        if scalars.isEmpty { isOpenBefore = true } else { isOpenAfter = true }
        continue
      }
      if isOpenAfter { return nil }
      if !isEscaped, scalar == "\\" {
        isEscaped = true
        continue
      }
      isEscaped = false
      scalars.append(scalar)
    }
    if isEscaped { scalars.append("\\") }
    text = String(scalars)
    test =
      switch (isOpenBefore, isOpenAfter || (isOpenBefore && scalars.isEmpty)) {
      case (false, false): .equals
      case (false, true): .beginsWith
      case (true, false): .endsWith
      case (true, true): .contains
      }
    unit = textUnit == .letters ? .ascii : .scalars
    if textUnit == .letters,
      !scalars.allSatisfy({ $0.isASCII && $0 != "\r" && $0 != "\n" })
    {
      return nil
    }
  }
}
