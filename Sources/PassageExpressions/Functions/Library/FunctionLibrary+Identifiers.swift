import Crypto
import PassageDiagnostics
import PassageValues
import PassagePlatform

extension FunctionLibrary {
  static let identifiers: [ValueFunction] =
    [
      ValueFunction("sha256:", [.textOrBinary], .string) {
        { values in .text(hexadecimal(SHA256.hash(data: contents(values[0])))) }
      },
      ValueFunction(
        "uuidFromName:namespace:", [.type(.string), .type(.uuid)], .uuid
      ) {
        { values in
          guard let name = values[0].string, let namespace = values[1].bytes else { return .null }
          return uuid(name, namespace)
        }
      },
      ValueFunction("uuidFromSeed:", [.textOrBinary], .uuid) {
        { values in uuid(contents(values[0]), seedNamespace) }
      },
      random,
    ]
    + ValueFunction.reading("uuidFromText:", [.type(.string)], .uuid) {
      { values in
        let uuid = try Conversions.uuid(fromText: values[0])
        guard uuid.isNull else { return uuid }
        throw Diagnostic(
          FunctionCode.unreadable, "a text is not a UUID of 8-4-4-4-12 hexadecimal digits",
          remedy: "call uuidFromTextOrNull, which returns nil, or filter such objects out")
      }
    }

  /// The namespace of UUIDs from a seed: the UUID of the name `passage` in RFC 9562's namespace of
  /// X.500 names. It must never change, because the UUIDs in stores depend on it.
  private static let seedNamespace: [UInt8] =
    uuid("passage", Array(RFC9562.distinguishedNames)).bytes ?? []

  private enum RFC9562 {
    /// Appendix A of RFC 9562: 6ba7b814-9dad-11d1-80b4-00c04fd430c8.
    static let distinguishedNames: [UInt8] = [
      0x6B, 0xA7, 0xB8, 0x14, 0x9D, 0xAD, 0x11, 0xD1, 0x80, 0xB4, 0x00, 0xC0, 0x4F, 0xD4, 0x30,
      0xC8,
    ]
  }

  private static func contents(_ value: Value) -> [UInt8] {
    switch value {
    case .text(let text): Array(text.utf8)
    case .blob(let bytes): bytes
    default: []
    }
  }

  private static func uuid(_ name: String, _ namespace: [UInt8]) -> Value {
    uuid(Array(name.utf8), namespace)
  }

  /// A version 5 UUID (RFC 9562, section 5.5): the SHA-1 of the namespace and the name.
  private static func uuid(_ name: [UInt8], _ namespace: [UInt8]) -> Value {
    var bytes = Array(Insecure.SHA1.hash(data: namespace + name).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x50
    bytes[8] = bytes[8] & 0x3F | 0x80
    return .blob(bytes)
  }

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
