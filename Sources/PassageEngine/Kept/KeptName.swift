internal import PassagePlatform

/// The name of a store that is kept for another one.
///
/// `App.sqlite.before-3` has version 3 and was replaced by a migration, `App.sqlite.after-4` has
/// version 4 and was replaced by a restoration. The second of the same version is
/// `App.sqlite.before-3~2`. A version whose own name ends so always has the number after it:
/// `App.sqlite.before-3~2~1`. So has one that ends like a file beside a store, because SQLite would take
/// `App.sqlite.before-3-wal` for the log of `App.sqlite.before-3`: it is `App.sqlite.before-3-wal~1`.
package struct KeptName: Sendable, Hashable {
  package var reason: KeptStore.Reason
  /// The version, as it is in the name: without the character “/”, and “-” for an empty one. A long one is
  /// shortened: see ``KeptStores/name(_:version:)``.
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
      guard let rest = Self.rest(of: name, after: Self.start(reason, of: storeName)) else {
        continue
      }
      guard !Self.endsLikeAnother(rest) else { return nil }
      let (version, number) = Self.numbered(rest) ?? (rest, 1)
      self.init(reason, version: String(version), number: number)
      return
    }
    return nil
  }

  /// Reads the name that earlier versions of Passage gave a store whose version ends like a log:
  /// `App.sqlite.before-3-wal`. Only the contents tell the file from the log of another kept store.
  ///
  /// - Returns: `nil` when it is another name.
  package init?(former name: String, of storeName: String) {
    for reason in KeptStore.Reason.allCases {
      guard let rest = Self.rest(of: name, after: Self.start(reason, of: storeName)),
        Self.isEnd(Self.sidecarEnds, of: rest)
      else { continue }
      self.init(reason, version: String(rest))
      return
    }
    return nil
  }

  /// What follows a beginning; `nil` when the name begins otherwise or ends there.
  ///
  /// They are compared by bytes, because a version may begin with a mark that Swift takes into the
  /// character before it. But a file system may spell the letters of the store's name in another way.
  private static func rest(of name: String, after start: String) -> Substring? {
    if name.utf8.starts(with: start.utf8) {
      let rest = Substring(name.utf8.dropFirst(start.utf8.count))
      return rest.isEmpty ? nil : rest
    }
    guard name.hasPrefix(start) else { return nil }
    let rest = name.dropFirst(start.count)
    return rest.isEmpty ? nil : rest
  }

  /// Whether a text ends like the name of a file that belongs to a store, or to work on it.
  private static func endsLikeAnother(_ text: Substring) -> Bool {
    isEnd(otherEnds, of: text)
  }

  /// Whether a text ends with one of several.
  private static func isEnd(_ ends: [String], of text: Substring) -> Bool {
    ends.contains { text.utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }
  }

  /// The version and the number after it; `nil` when there is no number, but only a version.
  ///
  /// The number 1 is only written where the version alone would be read as one with a number, or as the
  /// name of another file.
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
    return endsLikeAnother(rest)
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

  /// The longest end of a name.
  static let longestNumber = "~\(maximumNumber)"

  /// The bytes that most file systems allow a name.
  static let maximumBytes = 255

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
  private static let otherEnds =
    sidecarEnds + [".passage", ".quarantine.jsonl", KeptStores.copyEnd]

  /// What names of SQLite's files beside a store end with.
  private static let sidecarEnds = ["-wal", "-shm", "-journal"]
}
