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
      let (version, number) = Self.numbered(rest) ?? (rest, 1)
      self.init(reason, version: String(version), number: number)
      return
    }
    return nil
  }

  /// The version and the number after it; `nil` when there is no number, but only a version.
  ///
  /// The number 1 is only written where the version alone would be read as one with a number.
  private static func numbered(_ text: Substring) -> (version: Substring, number: Int)? {
    guard let parts = split(text), parts.number > 1 || needsNumber(parts.version) else {
      return nil
    }
    return parts
  }

  /// Whether a version is written with its number even if that is 1.
  ///
  /// - Complexity: O(n) in the bytes of the version, which may end with many numbers 1.
  private static func needsNumber(_ version: Substring) -> Bool {
    var rest = version
    while let parts = split(rest) {
      if parts.number > 1 { return true }
      rest = parts.version
    }
    return false
  }

  /// What is before the last `~`, and the number after it; `nil` when there is none.
  private static func split(_ text: Substring) -> (version: Substring, number: Int)? {
    guard let mark = text.utf8.lastIndex(of: UInt8(ascii: "~")), mark > text.startIndex else {
      return nil
    }
    let digits = text[text.utf8.index(after: mark)...]
    guard let number = Int(digits), (1...maximumNumber).contains(number), String(number) == digits
    else { return nil }
    return (text[..<mark], number)
  }

  /// No store is kept under a higher number: such a name is somebody else's.
  private static let maximumNumber = 1_000_000_000

  /// The name.
  package func text(of storeName: String) -> String {
    let hasNumber = number > 1 || Self.needsNumber(version[...])
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
