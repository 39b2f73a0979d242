internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues
internal import Synchronization

/// Records required attributes that became nil, at no cost while there are none: the set lane
/// evaluates `coalesce(value, passage_missing(n))`, whose second argument is computed only for nil.
///
/// A nil is not yet an error, because a policy may set the attribute later. The attributes that are
/// still missing are found when the step is assembled.
final class MissingValues: Sendable {
  /// A required attribute of an entity.
  struct Suspect: Hashable {
    var entity: String
    var attribute: String
  }

  static let functionName = "passage_missing"

  /// Whether a nil is refused immediately, so that its object can be quarantined.
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

  /// The number of an attribute in calls of the SQL function.
  func number(entity: String, attribute: String) -> Int {
    numbered.withLock { numbered in
      numbered.append(Suspect(entity: entity, attribute: attribute))
      return numbered.count - 1
    }
  }

  func note(entity: String, attribute: String) {
    suspects.withLock { _ = $0.insert(Suspect(entity: entity, attribute: attribute)) }
  }

  /// Records the required attributes that are nil in every object of a program. Whether it makes
  /// any objects is found out when the step is assembled.
  func note(constantsOf program: ColumnProgram) {
    for column in program.columns where column.isRequired {
      guard case .constant(.null) = column.cell, let attribute = column.attribute else { continue }
      note(entity: program.mapping.destination?.name ?? "", attribute: attribute.name)
    }
  }

  /// The attributes recorded since the last call.
  func take() -> Set<Suspect> {
    suspects.withLock { suspects in
      defer { suspects.removeAll() }
      return suspects
    }
  }
}
