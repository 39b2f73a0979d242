/// How an attribute that allows external storage keeps a value in its column.
///
/// The first byte says where the bytes are: 1 for behind it, 2 for a file whose name follows, ended
/// by a zero: an upper-case UUID, 36 characters. That form was seen in stores; the folder is that of
/// Core Data's public documentation.
public enum ExternalValue: Sendable, Hashable {
  /// The bytes follow the first.
  case inline
  /// The bytes are in a file of this name in the store's folder of external data.
  case file(String)
  /// A reference whose name is not a UUID, which names no file.
  case malformedReference
  /// Neither: what is in the column is the value itself, or of a kind never seen.
  case other

  /// The first byte of a value that is in the column.
  public static let inlineMarker: UInt8 = 1
  /// The first byte of a reference to a file.
  public static let fileMarker: UInt8 = 2
  /// The bytes of a whole reference: the marker, the name, a zero.
  public static let referenceByteCount = 38

  /// Reads a cell's beginning.
  ///
  /// - Parameters:
  ///   - prefix: at least its first 39 bytes, or all.
  ///   - byteCount: how many it has.
  public init(prefix: some Collection<UInt8>, byteCount: Int) {
    switch prefix.first {
    case Self.inlineMarker?: self = .inline
    case Self.fileMarker?:
      let name = prefix.dropFirst().prefix(36)
      guard byteCount == Self.referenceByteCount, prefix.count >= byteCount,
        prefix.dropFirst(37).first == 0, Self.isUUID(name)
      else {
        self = .malformedReference
        return
      }
      self = .file(String(decoding: name, as: UTF8.self))
    default: self = .other
    }
  }

  /// The cell of a reference to a file; the name must be a UUID.
  public static func reference(to name: String) -> [UInt8] {
    [fileMarker] + Array(name.utf8) + [0]
  }

  /// 36 characters: hexadecimal digits in capitals, and hyphens where a UUID has them. No such name
  /// leads out of its folder.
  static func isUUID(_ name: some Collection<UInt8>) -> Bool {
    guard name.count == 36 else { return false }
    return name.enumerated().allSatisfy { index, byte in
      switch index {
      case 8, 13, 18, 23: byte == UInt8(ascii: "-")
      default:
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
      }
    }
  }
}
