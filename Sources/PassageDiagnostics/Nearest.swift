/// The candidate closest to a misspelled word, for "did you mean"; `nil` if none is close.
///
/// The distance is the number of single-character edits, where an exchange of two neighbours counts
/// as one. At most a third of the word may differ.
///
/// - Complexity: O(n · w²) for n candidates and words of w characters. Words over 64 characters are
///   not compared, and only the first thousand candidates of about the same length are.
package func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
  let target = Array(word.lowercased())
  guard !target.isEmpty, target.count <= 64 else { return nil }
  var best: (name: String, distance: Int)?
  var comparisons = 0
  for candidate in candidates where abs(candidate.count - target.count) <= target.count / 3 {
    guard candidate.count <= 64 else { continue }
    comparisons += 1
    guard comparisons <= 1_000 else { break }
    let distance = editDistance(target, Array(candidate.lowercased()))
    if distance <= target.count / 3, distance < best?.distance ?? .max {
      best = (candidate, distance)
    }
  }
  return best?.name
}

/// What to do about a name that does not exist: the nearest of those that do, and a list of them. A name
/// that differs from several others in a number alone is as near to each, so the list is never left out.
///
/// - Parameter names: at most twelve of them are listed.
/// - Complexity: that of ``nearest(to:in:)``.
package func correction(of name: String, among names: [String]) -> String {
  let more = names.count > 12 ? " and \(names.count - 12) more" : ""
  let list = "use one of: \(names.prefix(12).joined(separator: ", "))\(more)"
  return nearest(to: name, in: names).map { "did you mean “\($0)”? If not, \(list)" } ?? list
}

private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  var before = Array(0...b.count)
  var row = before
  for (i, x) in a.enumerated() {
    var next = [i + 1]
    for (j, y) in b.enumerated() {
      var distance = x == y ? row[j] : 1 + min(row[j], row[j + 1], next[j])
      if i > 0, j > 0, x == b[j - 1], y == a[i - 1] { distance = min(distance, before[j - 1] + 1) }
      next.append(distance)
    }
    (before, row) = (row, next)
  }
  return row[b.count]
}
