/// What can be said of bytes in UTF-8 without decoding them into a string.
enum UTF8Text {
  static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while place + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return false }
      place += 8
    }
    while place < bytes.count {
      if bytes[place] >= 0x80 { return false }
      place += 1
    }
    return true
  }

  static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    isASCII(bytes) || utf16Count(bytes) != nil
  }

  /// The length in UTF-16 code units; `nil` for bytes that are not valid
  /// (https://www.unicode.org/versions/Unicode16.0.0/core-spec/chapter-3/#G31703, table 3-7).
  static func utf16Count(_ bytes: UnsafeRawBufferPointer) -> Int? {
    if isASCII(bytes) { return bytes.count }
    var place = 0
    var count = 0
    while place < bytes.count {
      let lead = bytes[place]
      guard lead >= 0x80 else {
        place += 1
        count += 1
        continue
      }
      let length: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch lead {
      case 0xC2...0xDF: length = 2
      case 0xE0...0xEF:
        length = 3
        if lead == 0xE0 { second = 0xA0...0xBF }
        if lead == 0xED { second = 0x80...0x9F }
      case 0xF0...0xF4:
        length = 4
        if lead == 0xF0 { second = 0x90...0xBF }
        if lead == 0xF4 { second = 0x80...0x8F }
      default: return nil
      }
      guard length <= bytes.count - place, second.contains(bytes[place + 1]) else { return nil }
      for index in 2..<max(2, length) where bytes[place + index] & 0xC0 != 0x80 { return nil }
      place += length
      count += length == 4 ? 2 : 1
    }
    return count
  }
}
