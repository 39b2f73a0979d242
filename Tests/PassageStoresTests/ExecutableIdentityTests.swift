import PassageFiles
import PassageStores
import PassageTesting
import Testing

/// What tells one build of a program from another.
@Suite struct ExecutableIdentityTests {
  /// A file with one segment of notes.
  private func file(
    notes: [UInt8], segmentCount: UInt8 = 1, type: UInt8 = 4, offset: UInt64? = nil,
    length: UInt64? = nil
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64 + 56)
    bytes.replaceSubrange(0..<6, with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
    put(64, at: 32, &bytes)
    bytes[54] = 56
    bytes[56] = segmentCount
    bytes[64] = type
    put(offset ?? 120, at: 72, &bytes)
    put(length ?? UInt64(notes.count), at: 96, &bytes)
    return bytes + notes
  }

  private func put(_ value: UInt64, at place: Int, _ bytes: inout [UInt8]) {
    for index in 0..<8 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (index * 8)) }
  }

  private func note(type: UInt8, name: String, data: [UInt8]) -> [UInt8] {
    let name = Array(name.utf8) + [0]
    func padded(_ bytes: [UInt8]) -> [UInt8] {
      bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
    return [UInt8(name.count), 0, 0, 0, UInt8(data.count), 0, 0, 0, type, 0, 0, 0]
      + padded(name) + padded(data)
  }

  @Test func `the linker's identity is found among other notes`() {
    let notes =
      note(type: 1, name: "GNU", data: [1, 2, 3]) + note(type: 3, name: "GNU", data: [0xAB, 0x01])
    #expect(ExecutableHeader(file(notes: notes)).buildIdentity == "ab01")
  }

  @Test func `files of other kinds have none`() {
    let notes = note(type: 3, name: "GNU", data: [1])
    #expect(ExecutableHeader([]).buildIdentity == nil)
    #expect(ExecutableHeader(Array("#!/bin/sh\n".utf8)).buildIdentity == nil)
    #expect(ExecutableHeader(file(notes: notes, type: 1)).buildIdentity == nil)
    #expect(
      ExecutableHeader(file(notes: note(type: 3, name: "Go", data: [1]))).buildIdentity == nil)
    #expect(ExecutableHeader(file(notes: notes, offset: .max)).buildIdentity == nil)
    #expect(ExecutableHeader(file(notes: notes, length: .max)).buildIdentity == nil)
    #expect(ExecutableHeader(file(notes: notes, segmentCount: 255)).buildIdentity == "01")
  }

  @Test func `no byte of a file makes the reader leave it`() {
    let whole = file(notes: note(type: 3, name: "GNU", data: [1, 2, 3, 4]))
    for count in 0...whole.count {
      _ = ExecutableHeader(Array(whole.prefix(count))).buildIdentity
    }
    for place in whole.indices {
      for value: UInt8 in [0, 1, 0x7F, 0xFF] {
        var bytes = whole
        bytes[place] = value
        _ = ExecutableHeader(bytes).buildIdentity
      }
    }
  }

  @Test func `this program has an identity, the same each time`() throws {
    let identity = try #require(FileSystem().executableIdentity)
    #expect(identity.hasPrefix("build ") || identity.hasPrefix("file "))
    #expect(FileSystem().executableIdentity == identity)
    #expect(FileSystem(executable: { "mine" }).executableIdentity == "mine")
  }
}
