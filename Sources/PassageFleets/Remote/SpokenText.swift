internal import PassageFiles

/// What a command says: a file to which it appends, kept from taking more and more room, because only its
/// end matters.
struct SpokenText {
  /// The file. The command makes it.
  let path: String
  /// What was taken out of the file before it was emptied.
  private var taken: [UInt8] = []
  /// The bytes before this offset have no room on the disk any more.
  private var roomStart: Int64 = 0

  /// So many bytes of the end are kept.
  static let maximumKeptBytes = 2_048
  /// The most bytes that are looked at later.
  static let maximumFileBytes: Int64 = 1 << 20
  /// The most bytes where room can only be given back by emptying the file.
  static let maximumWholeFileBytes: Int64 = 16 << 20

  init(_ path: String) { self.path = path }

  /// Gives back the room of all but the end of the file if it takes much. Nothing is lost that the command
  /// says at the same time. Where the file system cannot do that, the file is emptied when it has grown very
  /// large, and what the command says in that moment is lost.
  mutating func shorten(_ files: FileSystem) throws {
    guard try files.byteCount(path) - roomStart > Self.maximumFileBytes else { return }
    let file = try PositionalFile(path, mode: .updating)
    let length = try file.byteCount
    let end = length - Int64(Self.maximumKeptBytes)
    // The command may have emptied the file itself meanwhile.
    guard end > roomStart else { return }
    if file.giveBack(roomStart..<end) {
      roomStart = end
    } else if length > Self.maximumWholeFileBytes {
      try empty(file, length)
    }
  }

  /// Empties the file, and keeps its end.
  mutating func empty(_ file: PositionalFile, _ length: Int64) throws {
    taken = try Self.end(of: file, length)
    try file.truncate(to: 0)
    roomStart = 0
  }

  /// Its end, on one line; empty if nothing was said.
  var end: String {
    var bytes = taken
    if let file = try? PositionalFile(path, mode: .reading), let length = try? file.byteCount {
      bytes += (try? Self.end(of: file, length)) ?? []
    }
    let text = String(decoding: bytes.suffix(Self.maximumKeptBytes), as: UTF8.self)
    return text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
  }

  private static func end(of file: PositionalFile, _ length: Int64) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(min(length, Int64(maximumKeptBytes))))
    // The pointer is used while the array lives, and only within its bounds.
    let count = try bytes.withUnsafeMutableBytes { buffer in
      try file.read(into: buffer, at: length - Int64(buffer.count))
    }
    return Array(bytes.prefix(count))
  }
}
