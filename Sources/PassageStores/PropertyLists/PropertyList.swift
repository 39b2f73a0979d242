internal import PassagePlatform

/// A value of a property list, as a store's metadata and compiled models hold them.
public indirect enum PropertyList: Sendable, Hashable {
  /// A dictionary's entries, in the order of the file.
  case dictionary([Member])
  /// An array.
  case array([PropertyList])
  /// A text.
  case string(String)
  /// A 64-bit integer.
  case integer(Int64)
  /// An integer too large for ``integer(_:)``.
  case unsignedInteger(UInt64)
  /// A floating-point number.
  case real(Double)
  /// A Boolean.
  case bool(Bool)
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  /// Bytes.
  case data([UInt8])
  /// A reference of a keyed archive.
  case uid(UInt64)

  /// One entry of a dictionary.
  public struct Member: Sendable, Hashable {
    /// The name of the entry.
    public var key: String
    /// The value of the entry.
    public var value: PropertyList

    /// Creates an entry.
    public init(_ key: String, _ value: PropertyList) {
      self.key = key
      self.value = value
    }
  }
}

extension PropertyList {
  /// The value of a dictionary's first entry with this key; `nil` if it has none, and for other
  /// kinds of value.
  ///
  /// - Complexity: O(n) in the number of entries.
  public subscript(key: String) -> PropertyList? {
    members?.first { $0.key.hasBytes(of: key) }?.value
  }

  /// The entries of a dictionary; `nil` for other kinds of value.
  public var members: [Member]? {
    if case .dictionary(let members) = self { members } else { nil }
  }

  /// The elements of an array; `nil` for other kinds of value.
  public var elements: [PropertyList]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The text; `nil` for other kinds of value.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The integer; `nil` for other kinds of value.
  public var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The bytes of data; `nil` for other kinds of value.
  public var bytes: [UInt8]? {
    if case .data(let value) = self { value } else { nil }
  }
}
