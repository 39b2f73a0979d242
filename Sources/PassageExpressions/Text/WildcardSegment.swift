import PassageDiagnostics

/// What is between two asterisks of a pattern; `nil` is any one unit.
struct WildcardSegment<Unit: Sendable & Hashable>: Sendable, Hashable {
  private let units: [Unit?]
  /// By Knuth, Morris and Pratt; empty where some unit is any, since what fits such a unit says nothing
  /// of the units after it.
  private let links: [Int]

  init(_ units: [Unit?]) {
    self.units = units
    links = units.contains(nil) ? [] : TextSearch.failureLinks(units)
  }

  var count: Int { units.count }

  /// Where the segment ends when it is at a place; `nil` when it does not.
  func end<Text: Collection<Unit>>(in text: Text, at place: Text.Index) -> Text.Index? {
    var place = place
    for unit in units {
      guard place < text.endIndex, unit == nil || unit == text[place] else { return nil }
      place = text.index(after: place)
    }
    return place
  }

  /// Where the first one ends that begins at a place or after it.
  ///
  /// - Complexity: O(n + m) without a unit that is any, else O(n · m).
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
      // Less than the segment is left.
      if place == text.endIndex { return nil }
      start = text.index(after: start)
      try search.step(1 + length)
    }
  }
}

/// How long a search may take.
struct WildcardSearch {
  /// Far less than a second of them. What one text needs is a few steps for each of its characters, unless it
  /// is made of repetitions.
  static let maximumSteps = 5_000_000

  private var steps = 0
  /// Steps that went forward in the text, which are no waste.
  private var starts = 0

  /// - Parameter count: 1 for going forward, and those that led nowhere.
  mutating func step(_ count: Int) throws(Diagnostic) {
    steps += count
    starts += 1
    guard steps > Self.maximumSteps, steps / 20 > starts else { return }
    throw Diagnostic(
      ExpressionCode.patternTooSlow, "a pattern of LIKE takes too long on a long text",
      reason: "parts of it with “?” nearly fit at many places of the text",
      remedy: "write less between two “*”, or leave “?” out")
  }
}
