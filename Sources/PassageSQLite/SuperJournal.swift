internal import PassagePlatform

/// The files that name the journals of a transaction over several files
/// (https://www.sqlite.org/fileformat2.html#the_rollback_journal, https://www.sqlite.org/atomiccommit.html, section 5).
///
/// A journal says at its end which one it belongs to. SQLite opens that file, whatever its name is, and removes it
/// once no journal belongs to it any more. A journal of somebody else could name any file.
package enum SuperJournal {
  /// Whether SQLite itself gives such a name: that of a database, and `-mj`, six digits, `9` and two more digits.
  package static func isName(_ path: String) -> Bool {
    let end = Array(path.utf8.suffix(12))
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) }
    return end.count == 12 && path.utf8.count > 12 && end.starts(with: "-mj".utf8)
      && end[3...].allSatisfy(isDigit) && end[9] == 0x39
  }

  /// Whether SQLite may open a file that is there as a super-journal: a regular file with the name of one.
  static func mayOpen(_ path: UnsafePointer<CChar>) -> Bool {
    isName(String(cString: path)) && isFile(path)
  }

  /// Whether a path is that of a regular file. Where it cannot be opened for another reason than a link, SQLite
  /// finds and reports the same.
  static func isFile(_ path: UnsafePointer<CChar>) -> Bool {
    // A pipe is not waited for; only a regular file, or a folder, has a position.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return errno != ELOOP }
    defer { close(file) }
    return lseek(file, 0, SEEK_END) >= 0
  }
}
