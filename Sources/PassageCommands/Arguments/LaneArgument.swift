import ArgumentParser
import Passage

/// A lane as the command line names it.
enum LaneArgument: String, CaseIterable, ExpressibleByArgument {
  case auto
  case page
  case set
  case row

  /// The engine's choice.
  var choice: MigrationOptions.Lane {
    switch self {
    case .auto: .automatic
    case .page: .page
    case .set: .set
    case .row: .row
    }
  }
}
