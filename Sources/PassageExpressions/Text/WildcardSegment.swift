import PassageDiagnostics

/// The part of a pattern between two asterisks; `nil` matches any one unit.
struct WildcardSegment<Unit: Sendable & Hashable>: Sendable, Hashable {
  private let units: [Unit?]
  /// The links for the algorithm of Knuth, Morris and Pratt; empty if the segment contains a
  /// wildcard, for which that algorithm does not work.
  private let links: [Int]

  init(_ units: [Unit?]) {
    self.units = units
    links = units.contains(nil) ? [] : TextSearch.failureLinks(units)
  }

  var count: Int { units.count }

  /// The end of the segment if it matches at a place; `nil` if it does not.
  func end<Text: Collection<Unit>>(in text: Text, at place: Text.Index) -> Text.Index? {
    var place = place
    for unit in units {
      guard place < text.endIndex, unit == nil || unit == text[place] else { return nil }
      place = text.index(after: place)
    }
    return place
  }

  /// The end of the first match that begins at a place or after it.
  ///
  /// - Complexity: O(n + m) without a wildcard, otherwise O(n · m).
  func firstEnd<Text: Collection<Unit>>(
    in text: Text, from place: Text.Index, _ search: inout WildcardSearch
  ) throws(Diagnostic) -> Text.Index? {
    if units.isEmpty { return place }
    return links.isEmpty
      ? try firstEndByTrying(in: text, from: place, &search)
      : firstEndByLinks(in: text, from: place)
  }

  private func firstEndByLinks<Text: Collection<Unit>>(
    in text: Text, from place: Text.Index
  ) -> Text.Index? {
    var place = place
    var length = 0
    while place < text.endIndex {
      let unit = text[place]
      place = text.index(after: place)
      while length > 0, units[length] != unit { length = links[length - 1] }
      if units[length] == unit { length += 1 }
      if length == units.count { return place }
    }
    return nil
  }

  private func firstEndByTrying<Text: Collection<Unit>>(
    in text: Text, from place: Text.Index, _ search: inout WildcardSearch
  ) throws(Diagnostic) -> Text.Index? {
    var start = place
    while true {
      var place = start
      var length = 0
      while length < units.count, place < text.endIndex,
        units[length] == nil || units[length] == text[place]
      {
        place = text.index(after: place)
        length += 1
      }
      if length == units.count { return place }
      // The rest of the text is shorter than the segment.
      if place == text.endIndex { return nil }
      start = text.index(after: start)
      try search.step(1 + length)
    }
  }
}

/// Limits the time of a search.
struct WildcardSearch {
  /// Takes far less than a second. A usual text needs a few steps for each of its characters,
  /// unless it consists of repetitions.
  static let maximumSteps = 5_000_000

  private var steps = 0
  /// The steps that moved forward in the text, which are not counted as wasted.
  private var starts = 0

  /// - Parameter count: 1 for moving forward, plus the steps of a failed attempt.
  mutating func step(_ count: Int) throws(Diagnostic) {
    steps += count
    starts += 1
    guard steps > Self.maximumSteps, steps / 20 > starts else { return }
    throw Diagnostic(
      ExpressionCode.patternTooSlow, "a pattern of LIKE takes too long on a long text",
      reason: "parts of it with “?” almost match at many positions of the text",
      remedy: "write less between two “*”, or leave out “?”")
  }
}
