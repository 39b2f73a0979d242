internal import Passage
internal import PassageFiles

/// What an output may replace: a regular file and nothing else, whatever a call says.
enum ReplaceableFile {
  /// The refusal of what is at the path of an output, or of its name; `nil` for a regular file, a link to one,
  /// and a free path.
  static func refusal(_ path: String) -> Diagnostic? {
    if let refusal = DestinationCheck(destination: StoreUnit(path: path)).foreignName {
      return refusal
    }
    do throws(FileSystem.Failure) {
      guard try FileSystem().exists(path) else { return nil }
      if try FileSystem.status(path).kind == .file { return nil }
      return OccupiedPlace.refusal(path, reason: "only a regular file is ever replaced")
    } catch {
      if error.isNothingThere {
        return OccupiedPlace.refusal(path, reason: "nothing is where it leads")
      }
      return MigrationError(error, store: path).diagnostics.all.first
    }
  }

  /// Refuses what is at the path of an output: `RUN-002`, or its name: `RUN-096`.
  static func check(_ path: String, diskState: String) throws(MigrationError) {
    guard let refusal = refusal(path) else { return }
    throw MigrationError(refusal, diskState: diskState)
  }
}
