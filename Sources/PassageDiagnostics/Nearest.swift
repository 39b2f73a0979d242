/// The candidate closest to a misspelled word, for "did you mean"; `nil` if none is close.
///
/// The distance is the number of single-character edits, where an exchange of two neighbours counts
/// as one. At most a third of the word may differ.
///
/// - Complexity: O(n · w²) for n candidates and words of w characters. Words over 64 characters are
///   not compared, and only the first thousand candidates of about the same length are. Where a file
///   can have many wrong names and many right ones, ask ``SimilarNames``.
package func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
  guard word.utf8.count <= longestText else { return nil }
  let target = Array(word.lowercased())
  guard !target.isEmpty, target.count <= 64 else { return nil }
  // The numbers of characters are compared, which takes a fraction of the time.
  var numbers: [Character: Int] = [:]
  var sought: [Int] = []
  for character in target {
    let number = numbers[character] ?? numbers.count
    numbers[character] = number
    sought.append(number)
  }
  var best: (name: String, distance: Int)?
  var comparisons = 0
  for candidate in candidates where candidate.utf8.count <= longestText {
    let count = candidate.count
    guard count <= 64, abs(count - target.count) <= target.count / 3 else { continue }
    comparisons += 1
    guard comparisons <= 1_000 else { break }
    let letters = candidate.lowercased().map { numbers[$0] ?? -1 }
    let distance = editDistance(sought, letters)
    if distance <= target.count / 3, distance < best?.distance ?? .max {
      best = (candidate, distance)
    }
  }
  return best?.name
}

/// A text with more bytes is none of at most 64 characters that anybody would misspell. To count the
/// characters of a longer one takes time.
private let longestText = 1_024

/// What to do about a name that does not exist: the nearest of those that do, and a list of them. A name
/// that differs from several others in a number alone is as near to each, so the list is never left out.
///
/// - Parameter names: at most twelve of them are listed.
/// - Complexity: that of ``nearest(to:in:)``.
package func correction(of name: String, among names: [String]) -> String {
  let list = "use one of: \(shortList(of: names))"
  return nearest(to: name, in: names).map { "did you mean “\($0)”? If not, \(list)" } ?? list
}

/// The first twelve of some names, and how many more there are.
package func shortList(of names: [String]) -> String {
  let more = names.count > 12 ? " and \(names.count - 12) more" : ""
  return names.prefix(12).joined(separator: ", ") + more
}

private func editDistance(_ a: [Int], _ b: [Int]) -> Int {
  var before = Array(0...b.count)
  var row = before
  var next = before
  for (i, x) in a.enumerated() {
    next[0] = i + 1
    for (j, y) in b.enumerated() {
      var distance = x == y ? row[j] : 1 + min(row[j], row[j + 1], next[j])
      if i > 0, j > 0, x == b[j - 1], y == a[i - 1] { distance = min(distance, before[j - 1] + 1) }
      next[j + 1] = distance
    }
    (before, row, next) = (row, next, before)
  }
  return row[b.count]
}
