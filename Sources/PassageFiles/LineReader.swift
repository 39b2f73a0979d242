/// Reads a file line by line, in pieces. Not shared between threads.
package struct LineReader {
  /// A line without its end.
  package struct Line {
    package var bytes: ArraySlice<UInt8>
    /// Whether the line has no end, which only the last one can.
    package var isTorn: Bool
    /// Whether the line was longer than the limit. Its rest was skipped, or the reader stopped there.
    package var isCut: Bool
  }

  private let file: FileReader
  private let end: UInt8
  private let limit: Int
  private let stopsAtCut: Bool
  private var rest: ArraySlice<UInt8> = []

  /// - Parameters:
  ///   - end: the byte that ends a line.
  ///   - limit: how many bytes of a line are kept.
  ///   - stopsAtCut: whether the end of a longer line is not looked for, because it may have none. The
  ///     reader must not be asked for the next one then.
  package init(
    _ file: FileReader, end: UInt8 = UInt8(ascii: "\n"), limit: Int, stopsAtCut: Bool = false
  ) {
    self.file = file
    self.end = end
    self.limit = limit
    self.stopsAtCut = stopsAtCut
  }

  /// The next line; `nil` after the last.
  package mutating func next() throws(FileSystem.Failure) -> Line? {
    var line: [UInt8] = []
    var isCut = false
    while true {
      if rest.isEmpty {
        rest = try file.next()[...]
        if rest.isEmpty {
          return line.isEmpty && !isCut ? nil : Line(bytes: line[...], isTorn: true, isCut: isCut)
        }
      }
      let stop = rest.firstIndex(of: end)
      let found = rest[..<(stop ?? rest.endIndex)]
      if let stop { rest = rest[(stop + 1)...] } else { rest = [] }
      // Usually the whole line is in one piece.
      if stop != nil, line.isEmpty, found.count <= limit, !isCut {
        return Line(bytes: found, isTorn: false, isCut: false)
      }
      isCut = isCut || line.count + found.count > limit
      line += found.prefix(limit - line.count)
      if stop != nil || (isCut && stopsAtCut) {
        return Line(bytes: line[...], isTorn: stop == nil, isCut: isCut)
      }
    }
  }
}
