internal import PassageStores

extension [ExternalDataReport.Reference] {
  /// Describes the first ten references, and says how many more there are.
  ///
  /// - Parameter count: the total number of references; the array may contain only the first ones.
  package func words(of count: Int64) -> String {
    let shown = prefix(10).map { reference in
      "\(reference.entity) \(reference.key) \(reference.attribute)"
        + (reference.file.map { " (\($0))" } ?? "")
    }
    let rest = count > Int64(shown.count) ? " and \(count - Int64(shown.count)) more" : ""
    return shown.joined(separator: ", ") + rest
  }
}
