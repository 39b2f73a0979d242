internal import Passage

/// The flags about the old stores of migrations in place.
struct KeptStoreFlags {
  var isInPlace: Bool
  var isNotKept: Bool
  var folder: String?
  var limit: Int?

  /// What contradicts itself.
  var mistakes: Diagnostics {
    var mistakes = Diagnostics()
    if isNotKept, !isInPlace {
      mistakes.append(
        Diagnostic(
          "CMD-011", "--no-backup is given without --in-place",
          reason: "without --in-place, the source is not replaced",
          remedy: "leave out --no-backup, or add --in-place"))
    }
    for (option, isGiven) in [("--backup-dir", folder != nil), ("--keep", limit != nil)]
    where isGiven && (!isInPlace || isNotKept) {
      mistakes.append(
        Diagnostic(
          "CMD-044",
          "\(option) is given \(isInPlace ? "with --no-backup" : "without --in-place")",
          reason: "no old store is kept",
          remedy: "leave out \(isInPlace ? "--no-backup or \(option)" : option)"))
    }
    if let limit, limit < 1 {
      mistakes.append(
        Diagnostic(
          "CMD-002", "--keep cannot be \(limit)", remedy: "give a number of at least 1"))
    }
    return mistakes
  }
}
