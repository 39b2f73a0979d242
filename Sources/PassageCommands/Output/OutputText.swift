internal import Passage
internal import PassagePlatform

/// A text that is printed: lines in which nothing but what the program itself writes does anything.
///
/// Everything that people read is made of such lines, so names of files, models and stores have no other
/// way to a terminal, a pipe or a log.
struct OutputText: Sendable {
  /// Each of them can be printed as it is. A diagnostic has several.
  private var lines: [String]
  /// Whether the text is for programs, and has no characters but its own in place of others.
  let isVerbatim: Bool

  private init(printable lines: [String], isVerbatim: Bool = false) {
    self.lines = lines
    self.isVerbatim = isVerbatim
  }

  /// A text of lines that may have names in them; empty by default.
  init(lines: [String] = []) { self.init(printable: lines.map(\.visibleLine)) }

  /// A text of one line that may have names in it.
  init(_ line: String) { self.init(lines: [line]) }

  /// The text of diagnostics.
  ///
  /// - Parameters:
  ///   - texts: texts that are not in files, by the file name used in locations.
  ///   - palette: the colours of where the lines go; those of results by default.
  init(
    _ diagnostics: Diagnostics, texts: [String: String] = [:],
    in palette: Palette = CommandContext.look.resultPalette
  ) {
    self.init(printable: DiagnosticText.lines(diagnostics, texts: texts, in: palette))
  }

  /// A text that a program or an editor reads, such as a file's: it stays as it is, but on a terminal.
  init(verbatim text: String) { self.init(printable: [text], isVerbatim: true) }

  /// The text, without a line break at its end.
  var joined: String { lines.joined(separator: "\n") }

  /// Adds a line that may have names in it.
  mutating func append(_ line: String) { lines.append(line.visibleLine) }

  /// Adds a line that may have names in it, in the colour of a part.
  mutating func append(_ line: String, as part: Palette.Part, in palette: Palette) {
    lines.append(palette.paint(line.visibleLine, part))
  }

  /// Adds lines that may have names in them.
  static func += (text: inout OutputText, lines: [String]) {
    text.lines += lines.map(\.visibleLine)
  }

  /// Adds the lines of another text.
  static func += (text: inout OutputText, other: OutputText) { text.lines += other.lines }
}
