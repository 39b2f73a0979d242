import PassageReaders
import PassageStores
import Testing

/// Raw DEFLATE made in tests: RFC 1951 bit by bit.
enum StoredDeflate {
  /// Bytes as blocks that are stored and not compressed (section 3.2.4).
  static func compress(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let count = UInt16(block.count)
      output.append(rest.isEmpty ? 1 : 0)
      for number in [count, ~count] {
        output += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
      }
      output += block
    } while !rest.isEmpty
    return output
  }

  /// One zero byte, then matches of the greatest length, each 13 bits for 258 zeros (section 3.2.6).
  static func bomb(matches: Int) -> [UInt8] {
    var output: [UInt8] = []
    var bits = 0
    func append(_ code: String) {
      for bit in code {
        if bits % 8 == 0 { output.append(0) }
        if bit == "1" { output[output.count - 1] |= 1 << (bits % 8) }
        bits += 1
      }
    }
    append("110")
    append("00110000")
    for _ in 0..<matches { append("11000101" + "00000") }
    append("0000000")
    return output
  }
}

struct RawDeflateTests {
  @Test(arguments: [0, 1, 65_535, 65_536, 200_000])
  func `stored blocks are read`(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let output = try RawDeflate.decompress(StoredDeflate.compress(bytes), maximumBytes: count)
    #expect(output == bytes)
  }

  @Test func `blocks with the fixed codes are read`() throws {
    let output = try RawDeflate.decompress(StoredDeflate.bomb(matches: 3), maximumBytes: 775)
    #expect(output == [UInt8](repeating: 0, count: 1 + 3 * 258))
  }

  @Test func `blocks with codes of their own are read`() throws {
    // The text below, compressed by zlib with Huffman codes alone.
    let hex =
      """
      05c1010d00000082b0acc2e85fc17fa431d218698c34461a238d91c64863a431d218698c34461a23
      8d91c64863a431d218698c34461a238d91c64863a431d218698c34461a238d91c64863a431d21869
      8c34461a238d91c64863a431d218698c34461a238d91c64863a431d218698c34461a238d91c64863
      a4b103
      """
    let digits = hex.compactMap(\.hexDigitValue)
    let bytes = stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
    let text = (0..<400).map { UInt8($0 * $0 % 7 + 97) }
    #expect(try RawDeflate.decompress(bytes, maximumBytes: 400) == text)
  }

  @Test func `a bomb stops at the bound`() {
    let bytes = StoredDeflate.bomb(matches: 200_000)
    #expect(bytes.count < 400_000)
    #expect(throws: RawDeflate.Failure.tooLarge) {
      try RawDeflate.decompress(bytes, maximumBytes: 1 << 20)
    }
  }

  @Test func `every truncation is reported`() {
    let bytes = StoredDeflate.bomb(matches: 20)
    for count in 0..<bytes.count {
      #expect(throws: RawDeflate.Failure.truncated) {
        try RawDeflate.decompress(Array(bytes[..<count]), maximumBytes: 1 << 20)
      }
    }
  }

  @Test func `bytes of another kind are damaged`() {
    #expect(throws: RawDeflate.Failure.damaged) {
      try RawDeflate.decompress([0xFF, 0xFF], maximumBytes: 100)
    }
  }

  @Test func `bytes after the stream are ignored`() throws {
    let bytes = StoredDeflate.compress([1, 2, 3]) + [9, 9, 9]
    #expect(try RawDeflate.decompress(bytes, maximumBytes: 3) == [1, 2, 3])
  }

  @Test(arguments: [0, 1, 3, 65_535, 300_000])
  func `what was compressed is decompressed to the same bytes`(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
    let compressed = try RawDeflate.compress(bytes)
    #expect(try RawDeflate.decompress(compressed, maximumBytes: count) == bytes)
    #expect(try RawDeflate.compress(bytes) == compressed)
    #expect(count < 100 || compressed.count < count)
  }
}
