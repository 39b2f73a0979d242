import Foundation
package import PassageDiagnostics
import PassagePlatform
import PassageValues
import Synchronization

/// A regular expression of `MATCHES`, in ICU's syntax. It matches whole texts in bounded time.
package struct TextPattern: Sendable {
  /// How often ICU may report progress before a look for a match is given up. It reports every ten thousand
  /// steps, so this allows about a hundred steps for each code unit plus ten million: less than a
  /// second for a short text. After some five thousand reports, the look ends as if it had found nothing.
  static func maximumReports(codeUnits: Int) -> Int { min(1_000 + codeUnits / 100, 4_000) }

  private let source: String
  private let expression: NSRegularExpression

  /// - Throws: `PRE-021` for a pattern that ICU does not accept.
  package init(_ pattern: String, caseInsensitive: Bool) throws(Diagnostic) {
    source = pattern
    let options: NSRegularExpression.Options = caseInsensitive ? [.caseInsensitive] : []
    do {
      // The pattern is first compiled on its own, because `a)(b` would be well formed inside the
      // parentheses below. Foundation refuses the empty pattern, which matches the empty text.
      if !pattern.isEmpty { _ = try NSRegularExpression(pattern: pattern, options: options) }
      expression = try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z", options: options)
    } catch {
      throw Diagnostic(
        ExpressionCode.badPattern, "“\(pattern.prefix(200))” is not a regular expression",
        remedy: "MATCHES takes ICU's syntax; a backslash is written twice in a text")
    }
  }

  /// Whether the whole text matches.
  ///
  /// - Parameter mostReports: how often ICU may report progress before the look is given up, where that is to
  ///   be sooner than ``maximumReports(codeUnits:)`` says.
  /// - Throws: `PRE-031` if the search was given up.
  package func matches(_ text: String, mostReports: Int = .max) throws(Diagnostic) -> Bool {
    let length = text.utf16.count
    let maximumReports = min(Self.maximumReports(codeUnits: length), mostReports)
    var reports = 0
    var isFound = false
    var isGivenUp = false
    expression.enumerateMatches(
      in: text, options: [.reportProgress, .reportCompletion, .anchored],
      range: NSRange(location: 0, length: length)
    ) { result, flags, stop in
      if flags.contains(.internalError) { isGivenUp = true }
      if result != nil {
        isFound = true
        stop.pointee = true
      } else if flags.contains(.progress) {
        reports += 1
        if reports > maximumReports {
          isGivenUp = true
          stop.pointee = true
        }
      }
    }
    if isFound { return true }
    if isGivenUp {
      throw Diagnostic(
        ExpressionCode.patternTooSlow,
        "the regular expression “\(source.prefix(200))” takes too long on a text of \(length) code units",
        remedy: "avoid repeated groups that can fit in several ways, such as (a+)+")
    }
    return false
  }
}

/// The regular expressions that were last compiled.
final class PatternCache: Sendable {
  private struct Key: Hashable {
    var pattern: ExactText
    var isCaseInsensitive: Bool
  }

  private static let maximumCount = 32
  private let patterns = Mutex<[Key: TextPattern]>([:])

  /// Whether the whole text matches the pattern; false unless both values are texts.
  func matches(
    _ value: Value, _ pattern: Value, caseInsensitive: Bool
  ) throws(Diagnostic) -> Bool {
    switch (value, pattern) {
    case (.malformedText, .text), (.text, .malformedText), (.malformedText, .malformedText):
      throw TextFunctions.malformed
    case (.text(let text), .text(let pattern)):
      return try self.pattern(pattern, caseInsensitive: caseInsensitive).matches(text)
    default: return false
    }
  }

  private func pattern(
    _ text: String, caseInsensitive: Bool
  ) throws(Diagnostic) -> TextPattern {
    let key = Key(pattern: ExactText(text), isCaseInsensitive: caseInsensitive)
    if let known = patterns.withLock({ $0[key] }) { return known }
    let compiled = try TextPattern(text, caseInsensitive: caseInsensitive)
    patterns.withLock {
      if $0.count >= Self.maximumCount { $0.removeAll() }
      $0[key] = compiled
    }
    return compiled
  }
}
