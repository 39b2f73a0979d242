internal import PassagePlatform

/// Reads standard input, piece by piece. There is one per process.
package struct StandardInputReader {
  /// What stands for standard input in place of a path.
  package static let name = "-"

  package init() {}

  /// Whether standard input is a terminal, on which a person would have to type. `isatty(3)`.
  package var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// The next bytes, at most ``FileReader/pieceBytes``; empty at the end. `read(2)`.
  package func next() throws(FileSystem.Failure) -> [UInt8] {
    try FileReader.piece(of: STDIN_FILENO, path: Self.name)
  }
}
