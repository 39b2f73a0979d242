/// A name of the layout that contains an entity's number: `Z5_OWNER`, `Z14PARAMETERS`, `Z_5OWNERS`,
/// `Z_FOK_5OWNERS`. The number goes stale when Core Data migrates a store in place and the entities
/// are numbered again, so names are compared without it.
struct NumberedName: Hashable {
  /// What is before the number.
  var prefix: String
  /// What follows it.
  var rest: String

  /// - Parameter name: in capitals.
  /// - Returns: `nil` when there is no number where Core Data writes one.
  init?(_ name: String) {
    let prefix = ["Z_FOK_", "Z_", "Z"].first { name.hasPrefix($0) }
    guard let prefix else { return nil }
    let digits = name.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty else { return nil }
    self.prefix = prefix
    rest = String(name.dropFirst(prefix.count + digits.count))
  }

  /// The one name among `names` that differs from `name` in its number alone; `nil` when there is
  /// none, or more than one.
  static func match(_ name: String, among names: [String]) -> String? {
    guard let wanted = NumberedName(name.uppercased()) else { return nil }
    let found = names.filter { NumberedName($0.uppercased()) == wanted }
    return found.count == 1 ? found[0] : nil
  }
}
