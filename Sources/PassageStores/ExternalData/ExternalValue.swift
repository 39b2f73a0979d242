/// How the column of an attribute that allows external storage holds a value.
///
/// The first byte says where the value is. 1: the value follows. 2: the value is in a file, whose
/// name follows (an upper-case UUID of 36 characters), ended by a zero. This form was seen in
/// stores; the folder is the one that Core Data's public documentation names.
public enum ExternalValue: Sendable, Hashable {
  /// The value follows the first byte.
  case inline
  /// The bytes are in a file of this name in the store's folder of external data.
  case file(String)
  /// A reference whose name is not a UUID. It names no file.
  case malformedReference
  /// Neither form: the column holds the value itself, or a form that has not been seen.
  case other

  /// The first byte of a value that is stored in the column.
  public static let inlineMarker: UInt8 = 1
  /// The first byte of a reference to a file.
  public static let fileMarker: UInt8 = 2
  /// The size of a whole reference in bytes: the marker, the name, a zero.
  public static let referenceByteCount = 38

  /// Parses the beginning of a cell.
  ///
  /// - Parameters:
  ///   - prefix: at least the first 39 bytes of the cell, or all of it.
  ///   - byteCount: the size of the cell in bytes.
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

  /// Whether a name is 36 characters: upper-case hexadecimal digits, and hyphens where a UUID has
  /// them. Such a name cannot lead out of its folder.
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
