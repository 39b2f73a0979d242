internal import PassageSQLite
internal import PassageValues
internal import Synchronization

/// Counts values that became nil, at no cost while there are none: the set lane evaluates
/// `coalesce(value, CASE WHEN cell IS NOT NULL THEN passage_nilled(n) END)`. The second argument is
/// computed only for nil, and the function is called only if the source has a value.
final class NilledValues: Sendable {
  static let functionName = "passage_nilled"

  private struct State {
    var attributes: [String] = []
    var counts: [Int64] = []
    /// The numbers recorded for the current object, if objects may be quarantined.
    var ofObject: [Int]?
  }

  private let state = Mutex(State())

  /// - Parameter rollsBack: whether the counts of an object may have to be rolled back.
  init(rollsBack: Bool = false) {
    if rollsBack { state.withLock { $0.ofObject = [] } }
  }

  /// Registers the function on the connection that runs the set lane.
  func register(on connection: Connection) throws(SQLiteError) {
    try connection.register(
      SQLFunction(name: Self.functionName, argumentCount: 1, isDeterministic: false) { [self] in
        if let number = $0.first?.integer { note(Int(number)) }
        return .null
      })
  }

  /// The number of a destination attribute in calls of the SQL function.
  func number(attribute: String) -> Int {
    state.withLock { state in
      if let known = state.attributes.firstIndex(of: attribute) { return known }
      state.attributes.append(attribute)
      state.counts.append(0)
      return state.attributes.count - 1
    }
  }

  func note(_ number: Int) {
    state.withLock { state in
      guard state.counts.indices.contains(number) else { return }
      state.counts[number] += 1
      state.ofObject?.append(number)
    }
  }

  /// Called before each object.
  func beginObject() { state.withLock { $0.ofObject?.removeAll(keepingCapacity: true) } }

  /// Rolls back the counts of the current object, because it is quarantined.
  func rollBackObject() {
    state.withLock { state in
      for number in state.ofObject ?? [] { state.counts[number] -= 1 }
      state.ofObject?.removeAll(keepingCapacity: true)
    }
  }

  /// The counts since the last call, by destination attribute.
  func take() -> [String: Int64] {
    state.withLock { state in
      var taken: [String: Int64] = [:]
      for (attribute, count) in zip(state.attributes, state.counts) where count > 0 {
        taken[attribute] = count
      }
      for index in state.counts.indices { state.counts[index] = 0 }
      return taken
    }
  }
}
