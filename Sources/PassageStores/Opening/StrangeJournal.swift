internal import PassageFiles
internal import PassageSQLite

/// A rollback journal that SQLite did not write: it belongs to a file that is no super-journal.
enum StrangeJournal {
  /// https://www.sqlite.org/fileformat2.html#the_rollback_journal
  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
  /// The longest path that SQLite reads (`MAX_PATHNAME` in its `os_unix.c` is 512).
  private static let maximumNameBytes = 4_096

  /// The file to which a journal says that it belongs, unless SQLite gives such a name.
  ///
  /// - Returns: `nil` for a journal that names none, is never rolled back, or cannot be read.
  static func name(in path: String) -> String? {
    guard let file = try? PositionalFile(atOnce: path), let status = try? file.status,
      status.bytes >= 16, let start = try? file.prefix(magic.count), start.first != 0
    else { return nil }
    // The name, its number of bytes, the sum of its bytes, and the magic of a journal.
    let count = Int(min(status.bytes, Int64(maximumNameBytes + 16)))
    var end = [UInt8](repeating: 0, count: count)
    let read = try? end.withUnsafeMutableBytes { buffer in
      try file.read(into: buffer, at: status.bytes - Int64(count))
    }
    guard read == count, end.suffix(magic.count).elementsEqual(magic) else { return nil }
    let length = end[(count - 16)..<(count - 12)].reduce(0) { $0 << 8 | Int($1) }
    guard length > 0, length <= count - 16 else { return nil }
    let name = String(decoding: end[(count - 16 - length)..<(count - 16)], as: UTF8.self)
    return SuperJournal.isName(name) ? nil : name
  }
}
