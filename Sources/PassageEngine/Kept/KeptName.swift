internal import PassagePlatform

/// The name of a store that is kept for another one.
///
/// `App.sqlite.before-3` has version 3 and was replaced by a migration, `App.sqlite.after-4` has
/// version 4 and was replaced by a restoration. The second of the same version is
/// `App.sqlite.before-3~2`. A version whose own name ends so always has the number after it:
/// `App.sqlite.before-3~2~1`.
package struct KeptName: Sendable, Hashable {
  package var reason: KeptStore.Reason
  /// The version, as it is in the name: without the character “/”, and “-” for an empty one.
  package var version: String
  /// 1 or more.
  package var number: Int

  package init(_ reason: KeptStore.Reason, version: String, number: Int = 1) {
    self.reason = reason
    self.version = version.isEmpty ? "-" : version.replacingScalar("/", with: "-")
    self.number = number
  }

  /// Reads a name.
  ///
  /// - Parameters:
  ///   - name: the name of a file.
  ///   - storeName: the name of the store for which it is kept.
  /// - Returns: `nil` when it is another name, such as that of a log beside a kept store.
  package init?(_ name: String, of storeName: String) {
    for reason in KeptStore.Reason.allCases {
      let start = Self.start(reason, of: storeName)
      guard name.hasPrefix(start), name.utf8.count > start.utf8.count else { continue }
      let rest = name.dropFirst(start.count)
      guard !Self.otherEnds.contains(where: rest.hasSuffix) else { return nil }
      let (version, number) = Self.numbered(rest) ?? (String(rest), 1)
      self.init(reason, version: version, number: number)
      return
    }
    return nil
  }

  /// The version and the number after it; `nil` when there is no number, but only a version.
  ///
  /// The number 1 is only written where the version alone would be read as one with a number.
  private static func numbered(_ text: Substring) -> (version: String, number: Int)? {
    let parts = text.split(separator: "~", omittingEmptySubsequences: false)
    guard parts.count > 1, let last = parts.last, let number = Int(last),
      (1...maximumNumber).contains(number), String(number) == last
    else { return nil }
    let version = text.dropLast(last.count + 1)
    return !version.isEmpty && (number > 1 || numbered(version) != nil)
      ? (String(version), number) : nil
  }

  /// No store is kept under a higher number: such a name is somebody else's.
  private static let maximumNumber = 1_000_000_000

  /// The name.
  package func text(of storeName: String) -> String {
    let hasNumber = number > 1 || Self.numbered(version[...]) != nil
    return Self.start(reason, of: storeName) + version + (hasNumber ? "~\(number)" : "")
  }

  /// What every name of a store that was kept for a reason begins with.
  static func start(_ reason: KeptStore.Reason, of storeName: String) -> String {
    storeName + mark(reason)
  }

  /// What follows the name of the store.
  package static func mark(_ reason: KeptStore.Reason) -> String { ".\(reason.rawValue)-" }

  /// What names of files end with that belong to a store, or to work on it.
  private static let otherEnds = [
    "-wal", "-shm", "-journal", ".passage", ".quarantine.jsonl", KeptStores.copyEnd,
  ]
}
