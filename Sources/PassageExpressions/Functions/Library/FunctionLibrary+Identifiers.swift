import PassageDiagnostics
import PassagePlatform
import PassageValues

extension FunctionLibrary {
  static let identifiers: [ValueFunction] =
    [
      ValueFunction("sha256:", [.textOrBinary], .string) {
        { values in .text(DataTexts.hexadecimal(MessageDigest.of(contents(values[0])))) }
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
      random, randomUUID, objectURI,
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

  /// The function that implements `randomUUID()`: a version 4 UUID (RFC 9562, section 5.4) whose bits
  /// depend only on the migration, the store, the object and the place of the call, so that a
  /// continued run and the other lane give the same.
  ///
  /// The arguments are the fixed current time, the store's UUID, the entity's name, the object's key
  /// and the place of the call.
  static let randomUUID = ValueFunction(
    "randomUUIDOf:store:entity:key:place:",
    [.type(.real), .type(.string), .type(.string), .type(.integer), .type(.string)], .uuid,
    takesNil: true
  ) {
    { values in
      // The length before each text keeps two texts apart from two others of the same letters.
      var seed = Array("passage random uuid".utf8)
      append((values[0].double ?? 0).bitPattern, to: &seed)
      append(UInt64(bitPattern: values[3].integer ?? 0), to: &seed)
      for text in [values[1], values[2], values[4]] {
        let bytes = Array((text.string ?? "").utf8)
        append(UInt64(bytes.count), to: &seed)
        seed += bytes
      }
      return .blob(marked(Array(MessageDigest.of(seed).prefix(16)), version: 4))
    }
  }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }

  /// The function that implements `objectURI()`: the URI with which Core Data names an object, from
  /// the store's UUID, the entity's name and the object's key.
  static let objectURI = ValueFunction(
    "objectURIOf:entity:key:", [.type(.string), .type(.string), .type(.integer)], .string
  ) {
    { values in
      guard let store = values[0].string, let entity = values[1].string, let key = values[2].integer
      else { return .null }
      return .text(ObjectURI(entityName: entity, key: key).text(inStore: store))
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
    .blob(marked(Array(MessageDigest.of(namespace + name, by: .sha1).prefix(16)), version: 5))
  }

  /// 16 bytes as a UUID of a version (RFC 9562, sections 4.1 and 4.2).
  private static func marked(_ bytes: [UInt8], version: UInt8) -> [UInt8] {
    var bytes = bytes
    bytes[6] = bytes[6] & 0x0F | version << 4
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes
  }
}
