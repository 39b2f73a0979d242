import PassageSQLite
import Synchronization

/// Counts what SQLite does: the same count on every machine, however busy.
public enum StatementSteps {
  /// How many instructions SQLite's virtual machine runs for some work, counted in thousands for each
  /// statement, on every connection that the work opens.
  public static func count(_ work: () throws -> Void) rethrows -> Int {
    let questions = Mutex(0)
    let watch = StatementWatch {
      questions.withLock { $0 += 1 }
      return false
    }
    try StatementWatch.$current.withValue(watch) { try work() }
    return questions.withLock { $0 } * Int(StatementWatch.instructions)
  }
}
