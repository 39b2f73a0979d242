/// Values or links of one property that a step does not keep.
public struct ValueLoss: Sendable, Hashable, Codable {
  /// How they are lost.
  public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
    /// No entity mapping of the step reads the source property.
    case unread
    /// What a destination attribute is made of held a value, and the attribute is nil.
    case becameNil
    /// Links whose other end was filtered out, removed or quarantined.
    case emptied
  }

  /// How the values are lost.
  public var reason: Reason
  /// The step, from 1.
  public var step: Int
  /// The entity mapping, the first of those that take the entity over.
  public var mapping: String
  /// The source entity, or for values that became nil the destination entity.
  public var entity: String
  /// Its property.
  public var property: String
  /// How many values or links; `nil` where they are not counted yet, because the step's source does not
  /// exist before the run.
  public var count: Int64?

  /// What ``AllowedLosses`` calls it.
  public var name: String { "\(entity).\(property)" }
}

extension MigrationReport {
  /// Everything that was not kept, in the order of steps and entity mappings.
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
    }
  }
}
