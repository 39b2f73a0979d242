/// One job that is measured. Its models, mapping models and SQL are in the folder of its name under
/// `Scenarios`.
struct Scenario {
  /// What the engine is compared with.
  enum Yardstick: String {
    /// `HandWritten.sql`, in the sqlite3 shell.
    case handWritten = "hand-written SQL"
    /// `LoopSelect.sql` and `LoopInsert.sql`, in the plain C loop.
    case plainLoop = "plain C loop"
    /// `Script.py`, in Python.
    case script = "Python script"
  }

  /// The name for `--only`.
  var name: String
  /// The folder; the one of the name unless it says otherwise.
  var folderName: String?
  /// Whether the source is a plain database, which `Fill.sql` makes as a whole.
  var isPlain = false
  var title: String
  var yardstick = Yardstick.handWritten
  /// The lane it is about; `nil` for the lane of the run.
  var lane: String?
  var goal: Goal?
  /// The most memory it may need, in MiB, at any size.
  var peakGoal = 24
  /// The number of objects where it does not depend on `--sizes`.
  var fixedSize: Int?
  /// How many of the objects of `--sizes` there are: fewer where each is large.
  var share = 1
  /// The first number `Check.sql` gives in a migrated store of so many objects.
  var expectedCount: @Sendable (Int) -> Int = { $0 }

  var folder: String { folderName ?? name }
}
