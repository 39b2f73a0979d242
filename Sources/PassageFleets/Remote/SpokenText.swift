internal import PassageFiles

/// What a command says: a file to which it appends, kept from growing without bound, because only its end
/// matters.
struct SpokenText {
  /// The file. The command makes it.
  let path: String
  /// The end of what was taken out of the file.
  private var taken: [UInt8] = []

  /// So many bytes of the end are kept.
  static let maximumKeptBytes = 2_048
  /// Beyond this the file is emptied.
  static let maximumFileBytes: Int64 = 1 << 20
  /// How often the end of a file that goes on growing is read before it is emptied.
  private static let maximumReadings = 3

  init(_ path: String) { self.path = path }

  /// Empties the file if it has grown large, and keeps its end. The command may go on writing: what it says
  /// in the moment between the last look and the emptying is lost.
  mutating func shorten(_ files: FileSystem) throws {
    guard try files.byteCount(path) > Self.maximumFileBytes else { return }
    let file = try PositionalFile(path, mode: .updating)
    for _ in 0..<Self.maximumReadings {
      let length = try file.byteCount
      taken = try Self.end(of: file, length)
      if try file.byteCount == length { break }
    }
    try file.truncate(to: 0)
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
