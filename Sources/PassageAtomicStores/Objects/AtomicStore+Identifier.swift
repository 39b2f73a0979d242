internal import PassagePlatform

extension AtomicStore {
  /// The name of an object in a file: Core Data's reference object of an atomic store.
  ///
  /// A positive integer in its usual form is a number; everything else is a text. `007` and `7` are
  /// therefore two different reference objects. Texts are the same if their bytes are.
  public enum Reference: Sendable, Hashable {
    /// A number from 1.
    case number(Int64)
    /// A text that is not empty.
    case text(String)

    /// Parses a reference object as a file writes it; `nil` for an empty text.
    public init?(_ text: String) {
      if text.isEmpty { return nil }
      if let number = Int64(text), number >= 1, "\(number)" == text {
        self = .number(number)
      } else {
        self = .text(text)
      }
    }

    /// The number; `nil` for a text.
    public var number: Int64? { if case .number(let number) = self { number } else { nil } }
  }
}

extension AtomicStore.Reference {
  /// Whether both are the same number, or texts of the same bytes.
  public static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.number(let a), .number(let b)): a == b
    case (.text(let a), .text(let b)): a.hasBytes(of: b)
    case (.number, .text), (.text, .number): false
    }
  }

  /// Feeds the number, or the bytes of the text, to a hasher.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .number(let number): hasher.combine(number)
    case .text(let text): text.hashBytes(into: &hasher)
    }
  }
}

extension AtomicStore.Reference: CustomStringConvertible {
  /// The text as in the file.
  public var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .text(let text): text
    }
  }
}

extension AtomicStore.Reference: Comparable {
  /// Numbers are sorted by size and come before texts, which are sorted by code units.
  public static func < (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.number(let a), .number(let b)): a < b
    case (.number, .text): true
    case (.text, .number): false
    case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
    }
  }
}

extension AtomicStore {
  /// The stable identity of an object: its entity and its reference object. It is the same each
  /// time the file is loaded.
  public struct Identifier: Sendable, Hashable {
    /// The object's own entity, not a parent entity.
    public var entityName: String
    /// Unique in the hierarchy of the entity.
    public var reference: AtomicStore.Reference

    /// Creates an identifier.
    public init(entityName: String, reference: AtomicStore.Reference) {
      self.entityName = entityName
      self.reference = reference
    }
  }
}

extension AtomicStore.Identifier {
  /// The object for a message: with its number, but without a text, which is an app's value.
  var shown: String {
    reference.number.map { "\(entityName) \($0)" } ?? "an object of “\(entityName)”"
  }
}

extension AtomicStore.Identifier: CustomStringConvertible {
  /// `Person 12`.
  public var description: String { "\(entityName) \(reference)" }
}
