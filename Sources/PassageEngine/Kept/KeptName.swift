internal import PassagePlatform

/// The name of a store that is kept for another one.
///
/// `App.sqlite.before-3` has version 3 and was replaced by a migration, `App.sqlite.after-4` has
/// version 4 and was replaced by a restoration. The second of the same version is
/// `App.sqlite.before-3~2`.
package struct KeptName: Sendable, Hashable {
  package var reason: KeptStore.Reason
  /// The version, as it is in the name: without the character “/”.
  package var version: String
  /// 1 or more.
  package var number: Int

  package init(_ reason: KeptStore.Reason, version: String, number: Int = 1) {
    self.reason = reason
    self.version = version.replacingScalar("/", with: "-")
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
      let parts = rest.split(separator: "~", omittingEmptySubsequences: false)
      if parts.count > 1, let last = parts.last, let number = Int(last),
        (2...Self.maximumNumber).contains(number),
        String(number) == last
      {
        self.init(
          reason, version: String(rest.dropLast(last.count + 1)), number: number)
      } else {
        self.init(reason, version: String(rest))
      }
      guard !version.isEmpty else { return nil }
      return
    }
    return nil
  }

  /// No store is kept under a higher number: such a name is somebody else's.
  private static let maximumNumber = 1_000_000_000

  /// The name.
  package func text(of storeName: String) -> String {
    Self.start(reason, of: storeName) + version + (number > 1 ? "~\(number)" : "")
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
