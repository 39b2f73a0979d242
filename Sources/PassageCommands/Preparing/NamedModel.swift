internal import Passage

/// The model of a store that a call names with `--model`.
enum NamedModel {
  /// The error of a call that named a model, for one about the store: its tables are not wrong, they are
  /// those of another model.
  ///
  /// - Returns: `CMD-110` in place of `STO-118`; any other error unchanged.
  static func blamed(for error: any Error, store: String) -> any Error {
    let failure = MigrationError(error, store: store)
    guard let mismatch = failure.diagnostics.errors.first(where: { $0.code == "STO-118" }) else {
      return error
    }
    return MigrationError(
      Diagnostic(
        "CMD-110", "the store's tables are not those of the model that --model names",
        at: mismatch.location, reason: mismatch.reason,
        remedy: "name the model that the store was written with, or leave out --model"),
      diskState: failure.diskState)
  }
}
