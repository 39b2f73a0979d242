internal import PassageSQLite

/// The source and the finished pass stores of the step, each opened for reading when it is first
/// needed.
final class PassLookup {
  private let paths: [String]
  private let openSource: () throws -> Connection
  private var connections: [Int: Connection] = [:]
  private var sourceConnection: Connection?

  /// - Parameter paths: the pass stores, in the order of passes.
  init(paths: [String], openSource: @escaping () throws -> Connection) {
    self.paths = paths
    self.openSource = openSource
  }

  func connection(ofPass pass: Int) throws -> Connection {
    if let connection = connections[pass] { return connection }
    let connection = try Connection(path: paths[pass], mode: .readOnly)
    connections[pass] = connection
    return connection
  }

  func source() throws -> Connection {
    if let sourceConnection { return sourceConnection }
    let connection = try openSource()
    sourceConnection = connection
    return connection
  }
}
