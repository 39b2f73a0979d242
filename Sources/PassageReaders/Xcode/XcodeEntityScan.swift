/// The names of the entities in an Xcode model's XML, as Xcode writes it: `<entity name="…"`.
///
/// It is no reader of XML. A model that another program wrote may give other names, so they only
/// decide which version of a bundle is read first.
enum XcodeEntityScan {
  private static let beginning = Array("<entity name=\"".utf8)

  /// - Complexity: O(n) in the bytes.
  static func names(in bytes: [UInt8]) -> Set<String> {
    var names: Set<String> = []
    bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while index + beginning.count < bytes.count {
        guard bytes[index] == beginning[0] else {
          index += 1
          continue
        }
        var matched = 1
        while matched < beginning.count, bytes[index + matched] == beginning[matched] {
          matched += 1
        }
        index += matched
        guard matched == beginning.count else { continue }
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") { index += 1 }
        names.insert(String(decoding: bytes[start..<index], as: UTF8.self))
      }
    }
    return names
  }
}
