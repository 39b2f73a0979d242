internal import PassageFiles

/// The beginning of a write-ahead log (https://www.sqlite.org/fileformat2.html#walformat).
struct LogHeader: Sendable, Equatable {
  static let byteCount = 32
  /// The bytes before the page in each frame.
  static let frameHeaderBytes = 24

  let pageBytes: Int
  /// Two numbers that each frame of this log repeats; those of a log before it do not.
  let salts: UInt64
  /// The checksum with which that of the first frame begins.
  let checksum: LogChecksum

  var frameBytes: Int64 { Int64(Self.frameHeaderBytes + pageBytes) }

  /// Where a frame begins.
  func offset(ofFrame frame: UInt32) -> Int64 { Int64(Self.byteCount) + Int64(frame) * frameBytes }

  /// - Returns: `nil` for bytes that SQLite takes for no log: it has no frames.
  /// - Throws: ``Unsoundness`` for a log of an unknown version.
  init?(_ bytes: UnsafeRawBufferPointer) throws(Unsoundness) {
    guard bytes.count >= Self.byteCount, let base = bytes.baseAddress else { return nil }
    let magic = base.bigUInt32(at: 0)
    guard magic & ~1 == 0x377F_0682 else { return nil }
    let size = base.bigUInt32(at: 8)
    guard size >= 512, size <= 65_536, size.nonzeroBitCount == 1 else { return nil }
    pageBytes = Int(size)
    salts = base.bigUInt64(at: 16)
    var checksum = LogChecksum(isBigEndian: magic & 1 == 1)
    checksum.add(base, byteCount: 24)
    guard checksum.matches(base + 24) else { return nil }
    guard base.bigUInt32(at: 4) == 3_007_000 else {
      throw Unsoundness.log("is of an unknown version")
    }
    self.checksum = checksum
  }

  /// The header of a log, and `nil` when there is none.
  static func read(_ file: PositionalFile) throws -> LogHeader? {
    let buffer = PageBuffer(byteCount: byteCount)
    let count = try file.read(
      into: UnsafeMutableRawBufferPointer(start: buffer.bytes, count: byteCount), at: 0)
    return try LogHeader(UnsafeRawBufferPointer(start: buffer.bytes, count: count))
  }
}

/// The checksum of a write-ahead log, which goes on from frame to frame
/// (https://www.sqlite.org/fileformat2.html#checksum_algorithm).
struct LogChecksum: Sendable, Equatable {
  private let isBigEndian: Bool
  private var first: UInt32 = 0
  private var second: UInt32 = 0

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// - Parameter byteCount: a multiple of 8.
  mutating func add(_ bytes: UnsafeRawPointer, byteCount: Int) {
    var (first, second) = (first, second)
    var offset = 0
    while offset < byteCount {
      let one = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      let two = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
      first &+= (isBigEndian ? UInt32(bigEndian: one) : UInt32(littleEndian: one)) &+ second
      second &+= (isBigEndian ? UInt32(bigEndian: two) : UInt32(littleEndian: two)) &+ first
      offset += 8
    }
    (self.first, self.second) = (first, second)
  }

  /// Whether the eight bytes tell this checksum. They are big-endian in every log.
  func matches(_ bytes: UnsafeRawPointer) -> Bool {
    bytes.bigUInt32(at: 0) == first && bytes.bigUInt32(at: 4) == second
  }
}
