/// A value of a property list, as a store's metadata and compiled models hold them.
public indirect enum PropertyList: Sendable, Hashable {
  /// A dictionary's entries, in the order of the file.
  case dictionary([Member])
  case array([PropertyList])
  case string(String)
  case integer(Int64)
  /// An integer too large for ``integer(_:)``.
  case unsignedInteger(UInt64)
  case real(Double)
  case bool(Bool)
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  case data([UInt8])
  /// A reference of a keyed archive.
  case uid(UInt64)

  /// One entry of a dictionary.
  public struct Member: Sendable, Hashable {
    public var key: String
    public var value: PropertyList

    public init(_ key: String, _ value: PropertyList) {
      self.key = key
      self.value = value
    }
  }
}

extension PropertyList {
  /// The value of a dictionary's first entry with this key; `nil` for other kinds of value.
  ///
  /// - Complexity: O(n) in the number of entries.
  public subscript(key: String) -> PropertyList? {
    members?.first { $0.key == key }?.value
  }

  public var members: [Member]? {
    if case .dictionary(let members) = self { members } else { nil }
  }

  public var elements: [PropertyList]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The integer; `nil` for other kinds of value.
  public var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  public var bytes: [UInt8]? {
    if case .data(let value) = self { value } else { nil }
  }
}
