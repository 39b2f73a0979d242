/// Looks for bytes among others.
package enum BytesSearch {
  /// Whether a part is in a text, by trying every place.
  ///
  /// - Returns: `nil` when that would take long: the product of the lengths in the worst case.
  /// - Complexity: O(n + m).
  @inlinable
  package static func contains(_ text: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer)
    -> Bool?
  {
    guard let first = part.first else { return true }
    guard text.count >= part.count else { return false }
    var steps = 0
    for start in 0...(text.count - part.count) where text[start] == first {
      var length = 1
      while length < part.count, text[start + length] == part[length] { length += 1 }
      if length == part.count { return true }
      steps += length
      if steps > 4 * text.count + 4_096 { return nil }
    }
    return false
  }
}
