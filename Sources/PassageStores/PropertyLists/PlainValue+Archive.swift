extension PlainValue {
  /// The value as an archive that `NSKeyedUnarchiver` reads: texts, numbers, dates, data, `NSArray`,
  /// `NSDictionary` and `NSNull`.
  ///
  /// The same value always gives the same bytes. A number, a text and data are in the table of
  /// objects as they are; equal texts are written once.
  ///
  /// - Complexity: O(n) in the number of values and their bytes.
  package var keyedArchive: [UInt8] {
    var archiver = KeyedArchiver()
    let root = archiver.add(self)
    return archiver.archive(root: root)
  }
}

extension KeyedArchiver {
  /// Adds a plain value; returns the reference to it.
  fileprivate mutating func add(_ value: PlainValue) -> PropertyList {
    switch value {
    case .null: return add(.null, [])
    case .bool(let flag): return scalar(.bool(flag))
    case .integer(let number): return scalar(.integer(number))
    case .real(let number): return scalar(.real(number))
    case .date(let seconds): return add(.date, [.init("NS.time", .real(seconds))])
    case .data(let bytes): return scalar(.data(bytes))
    case .string(let text): return self.text(text)
    case .list(let elements): return list(elements.map { add($0) }, .array)
    case .dictionary(let members):
      return dictionary(members.map { ($0.key, add($0.value)) }, .dictionary)
    }
  }
}

extension KeyedArchiver.Class {
  fileprivate static let null = Self("NSNull")
  fileprivate static let date = Self("NSDate")
}
