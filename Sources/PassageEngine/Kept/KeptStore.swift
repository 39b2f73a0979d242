public import PassagePlatform

/// An old store that is kept after another one has taken its place.
public struct KeptStore: Sendable, Hashable {
  /// What took its place.
  public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
    /// The result of a migration in place.
    case before
    /// A kept store that was put back.
    case after
  }

  /// The path of the main file.
  public var path: String
  /// What took its place.
  public var reason: Reason
  /// The version in its name.
  public var version: String
  /// 1, or more if stores of the same version were kept before it.
  public var number: Int
  /// The size of its files in bytes, without external values, which it may share with others.
  public var bytes: Int64
  /// When it was last written.
  public var modified: Date
  /// The store's UUID; `nil` when the file cannot be read as a store.
  public var storeUUID: String?
  /// Why it cannot be put back; `nil` when it can. Such a file is never removed either.
  public var obstacle: Obstacle?

  /// Why a file that has the name of a kept store cannot be put back.
  public enum Obstacle: String, Sendable, Hashable, Codable {
    /// It cannot be read as a store.
    case unreadable
    /// It is a store, but another one: its UUID differs.
    case otherStore
  }
}
