internal import PassagePlatform

extension FileSystem {
  /// A text that changes when the program is rebuilt; `nil` if it cannot be determined.
  ///
  /// It is the build identity that the linker stored in the program, a digest of its contents. If
  /// there is none, it is the size, time and identity of the program's file. Changes in a
  /// dynamically loaded library are not noticed.
  ///
  /// - Complexity: O(1): only the first pages of the file are read.
  package var executableIdentity: String? {
    if let executable { return executable() }
    guard let path = executablePath(), let status = try? Self.status(path) else { return nil }
    if let head = try? Self.prefix(path, count: 64 << 10),
      let identity = ExecutableHeader(head).buildIdentity
    {
      return "build \(identity)"
    }
    return "file \(status.bytes) \(status.modifiedNanoseconds) \(status.device) \(status.inode)"
  }
}

/// The beginning of a 64-bit executable file in ELF format, as Linux loads it.
///
/// https://refspecs.linuxfoundation.org/elf/elf.pdf: the program header lists the note segments;
/// the note of type 3 by `GNU` holds the linker's build identity.
package struct ExecutableHeader {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  private static let noteSegment: UInt64 = 4
  private static let buildIdentityNote: UInt64 = 3
  private static let maximumSegments = 64

  /// The build identity in hexadecimal digits; `nil` for other files, and if the notes are not at
  /// the beginning.
  package var buildIdentity: String? {
    // Little-endian, 64 bits.
    guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]), let table = number(at: 32, bytes: 8),
      let size = number(at: 54, bytes: 2), let count = number(at: 56, bytes: 2)
    else { return nil }
    for index in 0..<min(Int(count), Self.maximumSegments) {
      guard let start = offset(table, plus: index * Int(size)),
        let type = number(at: start, bytes: 4)
      else { return nil }
      if type == Self.noteSegment, let found = buildIdentity(inSegment: start) { return found }
    }
    return nil
  }

  private func buildIdentity(inSegment header: Int) -> String? {
    guard var place = number(at: header + 8, bytes: 8).flatMap({ offset($0, plus: 0) }),
      let length = number(at: header + 32, bytes: 8).flatMap({ Int(exactly: $0) }),
      length <= bytes.count
    else { return nil }
    let end = min(bytes.count, place + length)
    while let nameLength = number(at: place, bytes: 4),
      let dataLength = number(at: place + 4, bytes: 4),
      let type = number(at: place + 8, bytes: 4), place + 12 <= end
    {
      let name = place + 12
      let data = name + Self.padded(Int(nameLength))
      let next = data + Self.padded(Int(dataLength))
      guard next <= end else { return nil }
      if type == Self.buildIdentityNote, Array(bytes[name..<data]) == Array("GNU\0".utf8),
        dataLength > 0
      {
        return bytes[data..<(data + Int(dataLength))].map { byte in
          let digits = String(byte, radix: 16)
          return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
      }
      place = next
    }
    return nil
  }

  private static func padded(_ count: Int) -> Int { (count + 3) & ~3 }

  /// An offset within the bytes that were read.
  private func offset(_ value: UInt64, plus more: Int) -> Int? {
    guard value < UInt64(bytes.count) else { return nil }
    let place = Int(value) + more
    return place < bytes.count ? place : nil
  }

  private func number(at place: Int, bytes count: Int) -> UInt64? {
    guard place >= 0, place <= bytes.count - count else { return nil }
    return bytes[place..<(place + count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
