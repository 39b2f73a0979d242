/// The candidate closest to a misspelt word, for "did you mean"; `nil` when none is close.
///
/// Distance is the number of single-character edits; at most a third of the word may differ.
///
/// - Complexity: O(n · w²) for n candidates and words of w characters; words over 64 characters are
///   not compared.
public func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
  let target = Array(word.lowercased())
  guard !target.isEmpty, target.count <= 64 else { return nil }
  var best: (name: String, distance: Int)?
  for candidate in candidates where candidate.count <= 64 {
    let distance = editDistance(target, Array(candidate.lowercased()))
    if distance <= target.count / 3, distance < best?.distance ?? .max {
      best = (candidate, distance)
    }
  }
  return best?.name
}

private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  var row = Array(0...b.count)
  for (i, x) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, y) in b.enumerated() {
      let above = row[j + 1]
      row[j + 1] = x == y ? diagonal : 1 + min(diagonal, above, row[j])
      diagonal = above
    }
  }
  return row[b.count]
}
