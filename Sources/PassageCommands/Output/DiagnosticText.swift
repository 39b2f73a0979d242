package import Passage
internal import PassagePlatform

/// A diagnostic as text: message, location with the line it refers to, reason, remedy.
package enum DiagnosticText {
  package static func text(_ diagnostic: Diagnostic) -> String {
    text(diagnostic, texts: [:], in: CommandContext.look.resultPalette)
  }

  /// - Parameters:
  ///   - texts: texts that are not in files, by the file name used in locations.
  ///   - palette: the colours of where the text goes.
  static func text(
    _ diagnostic: Diagnostic, texts: [String: String] = [:], in palette: Palette
  ) -> String {
    let shown = Self.shown(diagnostic).visible
    let head = palette.paint(
      "\(shown.severity.rawValue)[\(shown.code)]", shown.severity == .error ? .error : .warning)
    var lines = ["\(head): \(shown.message)"]
    if let location = diagnostic.location {
      var place = location
      place.file = PathText.shown(PathText.normalized(location.file)).visibleLine
      lines.append("  \(palette.paint("-->", .label)) \(palette.paint("\(place)", .place))")
      if SourceExcerpt.isAuthored(diagnostic) {
        var excerpt = SourceExcerpt.lines(at: location, text: texts[location.file])
        if let caret = excerpt.popLast() { excerpt.append(palette.paint(caret, .caret)) }
        lines += excerpt
      }
    }
    if let reason = shown.reason { lines.append("  \(palette.paint("why", .label))   \(reason)") }
    if let remedy = shown.remedy { lines.append("  \(palette.paint("try", .label))   \(remedy)") }
    return lines.joined(separator: "\n")
  }

  /// The diagnostic with its sentences as they are shown.
  private static func shown(_ diagnostic: Diagnostic) -> Diagnostic {
    var shown = diagnostic
    shown.message = PathText.shown(diagnostic.message)
    shown.reason = diagnostic.reason.map { PathText.shown($0) }
    shown.remedy = diagnostic.remedy.map { PathText.shown($0) }
    return shown
  }

  /// How many diagnostics of one file are shown.
  static let maximumOfFile = 20

  /// The text of diagnostics: the first of each file, then the number of further ones.
  ///
  /// - Parameters:
  ///   - texts: texts that are not in files, by the file name used in locations.
  ///   - palette: the colours of where the lines go; those of results by default.
  static func lines(
    _ diagnostics: Diagnostics, texts: [String: String] = [:],
    in palette: Palette = CommandContext.look.resultPalette
  ) -> [String] {
    var shown: [String: Int] = [:]
    var lines: [String] = []
    var rest = diagnostics.unlistedCount
    for diagnostic in diagnostics.all {
      let count = shown[diagnostic.location?.file ?? "", default: 0]
      // The last diagnostic of a long list says how many were not listed, so it is shown.
      guard count < maximumOfFile else {
        rest += 1
        continue
      }
      shown[diagnostic.location?.file ?? ""] = count + 1
      lines.append(text(diagnostic, texts: texts, in: palette))
    }
    if rest > 0 {
      lines.append("and \(rest) more; --format json lists those that were kept")
    }
    return lines
  }
}

/// A line from an author's file, with a caret below the column of the mistake.
enum SourceExcerpt {
  /// The number of characters of a line that are shown.
  private static let width = 90
  private static let maximumBytes = 16 << 20

  /// Whether the location is in a file that an author wrote. A line of a text store contains
  /// values, which are never shown.
  static func isAuthored(_ diagnostic: Diagnostic) -> Bool {
    guard let location = diagnostic.location else { return false }
    let name = location.file.split(separator: "/").last.map(String.init) ?? location.file
    switch diagnostic.code.prefix(3) {
    case "ATM": return diagnostic.code == "ATM-017"
    case "ROW", "STO", "RUN", "VAL": return false
    // A store may be an XML file, which is read in the same way as a model.
    case "MOD", "IMP": return authoredNames.contains(name) || name.hasSuffix(".json")
    default: return true
    }
  }

  /// The text files inside Xcode's bundles.
  private static let authoredNames: Set<String> = [
    "contents", "xcmapping.xml", ".xccurrentversion",
  ]

  /// The two lines of the excerpt; empty if the location has no column or the file cannot be read.
  ///
  /// - Parameter text: the text itself, if it is not in a file.
  static func lines(at location: SourceLocation, text: String? = nil) -> [String] {
    guard let number = location.line, let column = location.column, number > 0, column > 0,
      let line = text.map({ Array($0.unicodeScalars) }) ?? line(number, of: location.file),
      column <= line.count + 1
    else { return [] }
    // A long line is cut so that the location is visible.
    let start = column > width - 10 ? column - width / 2 : 0
    let shown: ArraySlice<Unicode.Scalar> = line.dropFirst(start).prefix(width)
    let gutter = String(repeating: " ", count: max(0, 5 - "\(number)".count)) + "\(number) | "
    let margin = String(repeating: " ", count: gutter.count - 2) + "| "
    // Tabs have the same width in both lines; every other character counts as one column.
    let indent = line.dropFirst(start).prefix(column - 1 - start)
      .map { $0 == "\t" ? "\t" : " " as Unicode.Scalar }
    return [gutter + printable(shown), margin + printable(indent[...]) + "^"]
  }

  private static func printable(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    // Control characters of a hostile file must not reach a terminal. One column each keeps the caret's place.
    for scalar in scalars { text.append(scalar.isControl && scalar != "\t" ? "?" : scalar) }
    return String(text)
  }

  /// The scalars of a line without the line ending; `nil` if the line does not exist.
  private static func line(_ number: Int, of file: String) -> [Unicode.Scalar]? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: file),
      attributes[.type] as? FileAttributeType == .typeRegular,
      let size = attributes[.size] as? Int, size <= maximumBytes,
      let data = FileManager.default.contents(atPath: file)
    else { return nil }
    // Text in UTF-16 would be shown wrongly.
    guard !data.prefix(512).contains(0) else { return nil }
    let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    // In a file without LF, lines end with CR.
    let lines = data.split(
      separator: data.contains(lineFeed) ? lineFeed : carriageReturn, maxSplits: number,
      omittingEmptySubsequences: false)
    guard lines.indices.contains(number - 1) else { return nil }
    var line = lines[number - 1]
    if line.last == carriageReturn { line = line.dropLast() }
    return Array(String(decoding: line, as: UTF8.self).unicodeScalars)
  }
}
