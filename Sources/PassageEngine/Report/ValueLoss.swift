/// Values or links of one property that a step does not keep.
public struct ValueLoss: Sendable, Hashable, Codable {
  /// The ways in which a value is lost.
  public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
    /// No entity mapping of the step reads the source property.
    case unread
    /// A destination attribute is nil although a source value from which it is made was not.
    case becameNil
    /// Links whose other end was filtered out, removed or quarantined, or merged into an object that leads to
    /// another.
    case emptied
    /// Numbers that the type of their attribute cannot hold.
    case narrowed
  }

  /// How the values are lost.
  public var reason: Reason
  /// The number of the step, from 1.
  public var step: Int
  /// The entity mapping; if several migrate the entity, the first of them.
  public var mapping: String
  /// The source entity; for values that became nil or are numbers out of a
  /// type's range, the destination entity.
  public var entity: String
  /// The property of that entity.
  public var property: String
  /// The number of values or links; `nil` if they have not been counted, because the step's source
  /// does not exist before the run.
  public var count: Int64?

  /// The name of the property in ``AllowedLosses``.
  public var name: String { "\(entity).\(property)" }
}

extension MigrationReport {
  /// All losses, in the order of steps and entity mappings.
  public var losses: [ValueLoss] {
    steps.enumerated().flatMap { ValueLoss.all(of: $1.mappings, step: $0 + 1) }
  }
}

extension ValueLoss {
  /// The losses that accounts report.
  static func all(of accounts: [MappingAccount], step: Int) -> [ValueLoss] {
    accounts.flatMap { account in
      func losses(_ counts: [String: Int64], _ reason: Reason, _ entity: String?) -> [ValueLoss] {
        counts.sorted { $0.key < $1.key }.filter { $0.value > 0 }.map {
          ValueLoss(
            reason: reason, step: step, mapping: account.name, entity: entity ?? "",
            property: $0.key, count: $0.value)
        }
      }
      return losses(account.unread, .unread, account.source)
        + losses(account.becameNil, .becameNil, account.destination)
        + losses(account.emptied, .emptied, account.source)
        + losses(account.narrowed, .narrowed, account.destination)
    }
  }
}
