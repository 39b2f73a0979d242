import PassageValues

extension DatePattern {
  /// The text of a date; `nil` if the formatter must print it.
  ///
  /// - Parameter seconds: seconds since 2001 in UTC.
  func text(_ seconds: Double) -> String? {
    var isPrinted = false
    let text = String(unsafeUninitializedCapacity: form.maximumCount) {
      guard let count = form.write(seconds, into: $0) else { return 0 }
      isPrinted = true
      return count
    }
    return isPrinted ? text : nil
  }
}
