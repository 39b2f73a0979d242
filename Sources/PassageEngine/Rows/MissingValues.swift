internal import PassageSQLite
internal import PassageValues
internal import Synchronization

/// Notices required attributes that came out nil, at no cost while there are none: the set lane
/// asks `coalesce(value, passage_missing(n))`, whose second argument is computed for nil alone.
///
/// A nil is a suspicion, not yet a failure: a policy may set the attribute later. What is still
/// missing on the whole is judged when the step is assembled.
final class MissingValues: Sendable {
  /// A required attribute of an entity.
  struct Suspect: Hashable {
    var entity: String
    var attribute: String
  }

  static let functionName = "passage_missing"

  /// Whether a nil is refused at once, so that its object can be quarantined.
  private let isStrict: Bool

  init(isStrict: Bool = false) { self.isStrict = isStrict }

  private let suspects = Mutex<Set<Suspect>>([])
  private let numbered = Mutex<[Suspect]>([])

  /// Registers the function on the connection that runs the set lane.
  func register(on connection: Connection) throws(SQLiteError) {
    try connection.register(
      SQLFunction(name: Self.functionName, argumentCount: 1, isDeterministic: false) { [self] in
        if let number = $0.first?.integer {
          let suspect = numbered.withLock {
            $0.indices.contains(Int(number)) ? $0[Int(number)] : nil
          }
          if isStrict, let suspect { throw MissingRequired(attribute: suspect.attribute) }
          if let suspect { suspects.withLock { _ = $0.insert(suspect) } }
        }
        return .null
      })
  }

  /// The number by which the SQL function knows an attribute.
  func number(entity: String, attribute: String) -> Int {
    numbered.withLock { numbered in
      numbered.append(Suspect(entity: entity, attribute: attribute))
      return numbered.count - 1
    }
  }

  func note(entity: String, attribute: String) {
    suspects.withLock { _ = $0.insert(Suspect(entity: entity, attribute: attribute)) }
  }

  /// The attributes noticed since the last call.
  func take() -> Set<Suspect> {
    suspects.withLock { suspects in
      defer { suspects.removeAll() }
      return suspects
    }
  }
}
