package import PassageDiagnostics
package import PassageStores

extension ExternalDataReport {
  /// Tells of the references that lead to no file: those whose file is missing, and those that name none.
  ///
  /// - Parameters:
  ///   - isRefused: whether the work ends with this (`STO-311`, `STO-313`), or goes on (`STO-312`).
  ///   - path: the store, as the reader knows it.
  ///   - detail: what is added to the first references.
  /// - Returns: nothing, if the report is complete.
  package func missingFiles(
    isRefused: Bool, at path: String, detail: String = "", remedy: String
  ) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    func tell(_ code: String, _ message: String, _ reason: String) {
      findings.append(
        Diagnostic(
          isRefused ? code : "STO-312", message, severity: isRefused ? .error : .warning,
          at: SourceLocation(file: path), reason: reason + detail, remedy: remedy))
    }
    if missing > 0 {
      tell(
        "STO-311", "the files of \(missing) of \(references) external values are missing",
        firstMissing.filter { $0.file != nil }.words(of: missing))
    }
    if malformed > 0 {
      tell(
        "STO-313", "\(malformed) references to files of external data do not name a file",
        firstMissing.filter { $0.file == nil }.words(of: malformed))
    }
    return findings
  }
}

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
