/// A value of a property list or of a keyed archive: a scalar, a list or a dictionary, without
/// classes.
package indirect enum PlainValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  case string(String)
  case data([UInt8])
  case list([PlainValue])
  /// The entries in the order of the file.
  case dictionary([Member])

  /// One entry of a dictionary.
  package struct Member: Sendable, Hashable {
    package var key: String
    package var value: PlainValue

    package init(_ key: String, _ value: PlainValue) {
      self.key = key
      self.value = value
    }
  }

  /// The value of a property list; `null` for a reference of a keyed archive, which is no value.
  package init(_ list: PropertyList) {
    self =
      switch list {
      case .dictionary(let members):
        .dictionary(members.map { Member($0.key, PlainValue($0.value)) })
      case .array(let elements): .list(elements.map { PlainValue($0) })
      case .string(let text): .string(text)
      case .integer(let number): .integer(number)
      case .unsignedInteger(let number): .real(Double(number))
      case .real(let number): .real(number)
      case .bool(let flag): .bool(flag)
      case .date(let seconds): .date(seconds)
      case .data(let bytes): .data(bytes)
      case .uid: .null
      }
  }

  /// The value as a property list; `nil` if it contains null, which a property list cannot hold.
  package var propertyList: PropertyList? {
    switch self {
    case .null: return nil
    case .bool(let flag): return .bool(flag)
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .date(let seconds): return .date(seconds)
    case .string(let text): return .string(text)
    case .data(let bytes): return .data(bytes)
    case .list(let elements):
      let lists = elements.compactMap(\.propertyList)
      return lists.count == elements.count ? .array(lists) : nil
    case .dictionary(let members):
      let lists = members.compactMap { member in
        member.value.propertyList.map { PropertyList.Member(member.key, $0) }
      }
      return lists.count == members.count ? .dictionary(lists) : nil
    }
  }
}
