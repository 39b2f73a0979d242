/// Which values a migration may leave behind.
///
/// All losses are counted and reported, whether or not they are allowed. What a policy leaves behind without
/// declaring what it reads is known to nobody, and refused by nothing: where not everything is allowed,
/// plan and report say so (`RUN-090`).
public struct AllowedLosses: Sendable, Hashable {
  /// Everything may be lost.
  public static let all = AllowedLosses(names: nil)
  /// Nothing may be lost, as far as it can be known.
  public static let none = AllowedLosses(names: [])

  /// `Entity.property`, where each part may be `*`; `nil` for everything.
  let names: [String]?

  private init(names: [String]?) { self.names = names }

  /// Only the named properties may lose values.
  ///
  /// - Parameter names: `Entity.property`, as in warnings and plans; `*` in place of either part
  ///   matches any name.
  public static func only(_ names: [String]) -> AllowedLosses { AllowedLosses(names: names) }

  /// Whether every loss is allowed.
  var allowsAnything: Bool { names?.contains("*.*") ?? true }

  func allows(_ loss: ValueLoss) -> Bool {
    guard let names else { return true }
    return names.contains { name in
      guard let (entity, property) = Self.parts(name) else { return false }
      return (entity == "*" || entity == loss.entity)
        && (property == "*" || property == loss.property)
    }
  }

  /// The entity and the property of a name.
  static func parts(_ name: String) -> (entity: String, property: String)? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return parts.count == 2 ? (parts[0], parts[1]) : nil
  }
}
