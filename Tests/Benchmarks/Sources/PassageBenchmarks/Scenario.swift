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
  var yardstick: Yardstick
  /// The largest ratio that is good enough; `nil` where the figure is only told.
  var goal: Double?
  /// The number of objects where it does not depend on `--sizes`.
  var fixedSize: Int?
  /// The first number `Check.sql` gives in a migrated store of so many objects.
  var expectedCount: @Sendable (Int) -> Int = { $0 }

  var folder: String { folderName ?? name }

  static let all = [
    Scenario(
      name: "Attributes", title: "set lane, every attribute transformed",
      yardstick: .handWritten, goal: 1.25),
    Scenario(
      name: "Relationships", title: "to-one and many-to-many by key offsets",
      yardstick: .handWritten, goal: 1.25),
    Scenario(
      name: "RowCopy", title: "row lane, a policy that copies", yardstick: .plainLoop, goal: 1.3),
    Scenario(
      name: "RowEveryHook", title: "row lane, a policy with every hook", yardstick: .plainLoop),
    Scenario(
      name: "RowDate", title: "row lane, a policy that prints a date", yardstick: .handWritten),
    Scenario(
      name: "Associations", title: "to-one through associations on disk", yardstick: .handWritten,
      expectedCount: { $0 - $0 / 2 }),
    Scenario(
      name: "Import", isPlain: true, title: "plain table, two objects of each row",
      yardstick: .handWritten),
    Scenario(
      name: "ImportScript", folderName: "Import", isPlain: true,
      title: "plain table, two objects of each row", yardstick: .script),
    Scenario(
      name: "Small", title: "2,000 objects, two passes, start to durable end",
      yardstick: .handWritten, fixedSize: 2_000),
  ]
}
