import Foundation
import PassageDiagnostics
import PassagePlatform
import PassageValues

/// Finds and replaces the matches of a regular expression in ICU's syntax, in bounded time.
final class PatternSearch: Sendable {
  private let patterns = Memo<ExactText, NSRegularExpression>()
  private let maximumMatches: Int

  /// - Parameter maximumMatches: the most that are replaced in one text. A text of 64 MiB can have as many
  ///   as it has letters, and calls within calls make such texts of short ones.
  init(maximumMatches: Int = 5_000_000) { self.maximumMatches = maximumMatches }

  /// Checks a constant pattern, the second argument.
  static func check(_ arguments: [Value?]) throws {
    if let pattern = arguments.dropFirst().first??.string { _ = try compile(ExactText(pattern)) }
  }

  private static func compile(_ key: ExactText) throws -> sending NSRegularExpression {
    let pattern = key.text
    guard !pattern.isEmpty, let expression = try? NSRegularExpression(pattern: pattern) else {
      throw Diagnostic(
        ExpressionCode.badPattern, "“\(pattern.prefix(200))” is not a regular expression",
        remedy: "the syntax is ICU's; a backslash is written twice in a text")
    }
    return expression
  }

  /// The text with every match replaced. In the template, `$1` is the first group, and `\` makes
  /// the next character literal.
  ///
  /// - Throws: `PRE-021`, `PRE-031`, `PRE-041`.
  func replacing(_ pattern: String, in text: String, with template: String) throws -> Value {
    try patterns.use(ExactText(pattern), make: Self.compile) { expression in
      let whole = text as NSString
      var result = ""
      var bytes = 0
      var end = 0
      var matchCount = 0
      func append(_ part: String) -> Bool {
        bytes += part.utf8.count
        if bytes <= TextParts.maximumBytes { result += part }
        return bytes <= TextParts.maximumBytes
      }
      var fits = true
      try Self.search(expression, text, whole.length) { match in
        matchCount += 1
        guard matchCount <= maximumMatches else { return false }
        let before = NSRange(location: end, length: match.range.location - end)
        fits =
          append(whole.substring(with: before))
          && Self.length(of: template, for: match) <= TextParts.maximumBytes - bytes
          && append(
            expression.replacementString(for: match, in: text, offset: 0, template: template))
        end = match.range.location + match.range.length
        return fits
      }
      guard matchCount <= maximumMatches else {
        throw Diagnostic(
          ExpressionCode.patternTooSlow,
          "the regular expression “\(pattern.prefix(200))” matches more than \(maximumMatches) times in "
            + "a text of \(whole.length) code units",
          remedy: "match longer pieces, or filter such objects out")
      }
      guard fits, append(whole.substring(from: end)) else { throw TextParts.tooLarge }
      return .text(result)
    }
  }

  /// An upper estimate of the replacement's length in code units, before it is made.
  private static func length(of template: String, for match: NSTextCheckingResult) -> Int {
    var length = template.utf16.count
    var units = template.utf16.makeIterator()
    var unit = units.next()
    while let current = unit {
      unit = units.next()
      guard current == UInt16(UInt8(ascii: "$")) else { continue }
      // The number of digits in a group's number depends on how many groups exist, so the longest
      // group counts.
      var number = 0
      var longest = 0
      while let digit = unit, (0x30...0x39).contains(digit) {
        number = min(number * 10 + Int(digit) - 0x30, match.numberOfRanges)
        if number < match.numberOfRanges { longest = max(longest, match.range(at: number).length) }
        unit = units.next()
      }
      length += longest
      if length > TextParts.maximumBytes { break }
    }
    return length
  }

  /// The first match, or one of its groups; NULL if nothing matches or the group did not take part.
  ///
  /// - Throws: `PRE-021`, `PRE-031`; `PRE-044` for a group that the pattern does not have.
  func first(_ pattern: String, in text: String, group: Int64) throws -> Value {
    try patterns.use(ExactText(pattern), make: Self.compile) { expression in
      guard (0...Int64(expression.numberOfCaptureGroups)).contains(group) else {
        throw Diagnostic(
          FunctionCode.badArgument,
          "“\(pattern.prefix(200))” has \(expression.numberOfCaptureGroups) groups, but no group "
            + "\(group)"
        )
      }
      let whole = text as NSString
      var found = Value.null
      try Self.search(expression, text, whole.length) { match in
        let range = match.range(at: Int(group))
        if range.location != NSNotFound { found = .text(whole.substring(with: range)) }
        return false
      }
      return found
    }
  }

  /// Passes the matches from left to right until there are no more, or `body` returns `false`.
  private static func search(
    _ expression: NSRegularExpression, _ text: String, _ length: Int,
    _ body: (NSTextCheckingResult) -> Bool
  ) throws {
    var effort = SearchEffort(codeUnits: length)
    var isGivenUp = false
    // On Linux the closure is declared as escaping, although it does not escape.
    withoutActuallyEscaping(body) { body in
      expression.enumerateMatches(
        in: text, options: [.reportProgress, .reportCompletion],
        range: NSRange(location: 0, length: length)
      ) { match, flags, stop in
        if flags.contains(.internalError) { isGivenUp = true }
        if let match {
          if !body(match) { stop.pointee = true }
        } else if flags.contains(.progress) {
          effort.note()
          if effort.isTooGreat {
            isGivenUp = true
            stop.pointee = true
          }
        }
      }
    }
    guard isGivenUp else { return }
    throw Diagnostic(
      ExpressionCode.patternTooSlow,
      "the regular expression “\(expression.pattern.prefix(200))” takes too long on a text of \(length) code units",
      remedy: "avoid repeated groups that can fit in several ways, such as (a+)+")
  }
}

/// How much a search through a text has done, as far as ICU reports it.
///
/// It reports each place of the text at which it has looked for a match and found none, and every ten thousand steps
/// of one such look (`uregex_setFindProgressCallback`, `uregex_setMatchCallback`). Which of the two a report is about is
/// not told. So the reports of all places are allowed besides those of ``TextPattern``, and time bounds what they
/// would permit. A look that takes too long ends as if it had found nothing: it is known by many reports in a row
/// that each take the time of ten thousand steps.
private struct SearchEffort {
  /// Far more than a place of a text takes, and less than ten thousand steps.
  private static let slow: Duration = .microseconds(10)

  private let maximumReports: Int
  private let maximumSlowReports: Int
  private let end: ContinuousClock.Instant
  private var last: ContinuousClock.Instant
  private var reports = 0
  private var slowReports = 0
  private(set) var isTooGreat = false

  init(codeUnits: Int) {
    maximumSlowReports = TextPattern.maximumReports(codeUnits: codeUnits)
    maximumReports = maximumSlowReports + codeUnits
    last = .now
    // A place of a text takes far less than a microsecond.
    end = last + .seconds(10) + .microseconds(codeUnits)
  }

  /// Notes a report.
  mutating func note() {
    reports += 1
    let now = ContinuousClock.now
    slowReports = last.duration(to: now) < Self.slow ? 0 : slowReports + 1
    last = now
    isTooGreat = reports > maximumReports || slowReports > maximumSlowReports || now >= end
  }
}
