internal import PassageStores

extension [ExternalDataReport.Reference] {
  /// The first ten of them in words, and how many more there are.
  ///
  /// - Parameter count: how many there are in all; the list may hold the first ones alone.
  package func words(of count: Int64) -> String {
    let shown = prefix(10).map { reference in
      "\(reference.entity) \(reference.key) \(reference.attribute)"
        + (reference.file.map { " (\($0))" } ?? "")
    }
    let rest = count > Int64(shown.count) ? " and \(count - Int64(shown.count)) more" : ""
    return shown.joined(separator: ", ") + rest
  }
}
