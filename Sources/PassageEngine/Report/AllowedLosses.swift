/// Which values a migration may leave behind.
///
/// Whatever is allowed, all that is lost is counted and reported.
public struct AllowedLosses: Sendable, Hashable {
  /// Everything may be lost.
  public static let all = AllowedLosses(names: nil)
  /// Nothing may be lost.
  public static let none = AllowedLosses(names: [])

  /// `Entity.property`, each part of which may be `*`; `nil` for everything.
  let names: [String]?

  private init(names: [String]?) { self.names = names }

  /// Nothing but the properties named may lose values.
  ///
  /// - Parameter names: `Entity.property`, as warnings and plans name what is lost; `*` in place of
  ///   either part stands for any.
  public static func only(_ names: [String]) -> AllowedLosses { AllowedLosses(names: names) }

  /// Whether whatever may be lost is allowed.
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
