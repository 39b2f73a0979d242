internal import PassagePlatform

extension Diagnostic {
  /// The diagnostic as text shows it: names in it do nothing to a terminal and begin no line. A reason
  /// may be a list, and keeps its line breaks; further lines are below the first line's text.
  package var visible: Diagnostic {
    var shown = self
    shown.code = code.visibleLine
    shown.message = message.visibleLine
    if let location { shown.location?.file = location.file.visibleLine }
    shown.reason = reason?.visibleLines(indentedBy: 8)
    shown.remedy = remedy?.visibleLine
    return shown
  }
}
