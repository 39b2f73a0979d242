internal import Foundation

/// A change of one byte where it tells SQLite how to read the others: the header of a page, its
/// pointers to cells, the beginning of a cell with the size of the row, its key and its types.
///
/// https://www.sqlite.org/fileformat.html#b_tree_pages
enum DamagedPage {
  static func change(
    _ subject: DamageSubject, random: inout SeededRandom
  ) -> (offset: Int, byte: UInt8) {
    let bytes = subject.contents
    let page = Int.random(in: 0..<max(1, subject.bytes / subject.pageBytes), using: &random)
    let start = page * subject.pageBytes
    let header = start + (page == 0 ? 100 : 0)
    func number(_ offset: Int) -> Int {
      offset + 1 < bytes.count ? Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) : 0
    }
    let cells = number(header + 3)
    // Interior pages have the number of a page more.
    let pointers = header + (header < bytes.count && bytes[header] < 8 ? 12 : 8)
    var offset = header + Int.random(in: 0..<12, using: &random)
    if cells > 0 {
      let pointer = pointers + 2 * Int.random(in: 0..<cells, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: offset = pointer + Int.random(in: 0...1, using: &random)
      case 1, 2: offset = start + number(pointer) + Int.random(in: 0..<24, using: &random)
      default: break
      }
    }
    offset = min(offset, bytes.count - 1)
    let old = bytes[offset]
    let new = [
      old &+ 1, old &- 1, 0, 255, old ^ 128, UInt8.random(in: 0...255, using: &random),
    ]
    return (offset, new.randomElement(using: &random) ?? 0)
  }
}
