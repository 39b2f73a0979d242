extension KeptName {
  /// The length of the mark of a store's place, in hexadecimal digits.
  static let placeMarkCharacters = 16

  /// What a name has before each text that can be the beginning of a kept store's own part of it:
  /// `App.sqlite` for `App.sqlite.before-1`.
  package static func starts(in name: String) -> [Substring] {
    // By bytes: a version may begin with a mark that Swift takes into the character before it.
    let bytes = name.utf8
    var starts: [Substring] = []
    var rest = bytes[...]
    while let hyphen = rest.firstIndex(of: UInt8(ascii: "-")) {
      rest = rest[hyphen...].dropFirst()
      if rest.isEmpty { break }
      for reason in KeptStore.Reason.allCases {
        let mark = mark(reason).utf8.dropLast()
        let before = bytes[..<hyphen]
        guard before.suffix(mark.count).elementsEqual(mark) else { continue }
        let start = before.dropLast(mark.count)
        if !start.isEmpty { starts.append(Substring(start)) }
      }
    }
    return starts
  }

  /// The name of the store for which a store is kept in a folder of its own, by the form of the name alone:
  /// `App.sqlite` for `App.sqlite.3f2a9c01d45be678.before-1`, and for the files beside that.
  ///
  /// - Returns: `nil` for a name of another form.
  package static func storeName(fromMarked name: String) -> String? {
    for start in starts(in: name) {
      let place = start.utf8.suffix(placeMarkCharacters + 1)
      let store = start.utf8.dropLast(place.count)
      guard !store.isEmpty, place.first == UInt8(ascii: "."),
        place.dropFirst().allSatisfy(isDigit)
      else { continue }
      return String(Substring(store))
    }
    return nil
  }

  /// Whether a byte is a hexadecimal digit as it is in a mark.
  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
