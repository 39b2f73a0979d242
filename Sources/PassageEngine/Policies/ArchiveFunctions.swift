internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageStores
internal import PassageValues

/// Functions that write binary property lists and keyed archives, for binary and transformable
/// attributes.
enum ArchiveFunctions {
  static let all: [ValueFunction] =
    fromJSON("propertyListFromJSON:") { $0.propertyList?.binaryPropertyList }
    + fromJSON("archiveFromJSON:") { $0.keyedArchive }
    + [
      archive("archiveOfString:", .string) { $0.string.map { .string($0) } },
      archive("archiveOfNumber:", .real) {
        switch $0 {
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        default: nil
        }
      },
      archive("archiveOfDate:", .date) { $0.double.map { .date($0) } },
      archive("archiveOfData:", .binary) { $0.bytes.map { .data($0) } },
    ]

  private static func fromJSON(
    _ selector: String, _ write: @escaping @Sendable (PlainValue) -> [UInt8]?
  ) -> [ValueFunction] {
    ValueFunction.withOrNull(selector, takes: [.string], gives: .binary) { values in
      guard let text = values[0].string else { return .null }
      guard text.utf8.count <= PropertyListFunctions.maximumBytes else {
        throw ValueFunction.unreadable(
          "a JSON text has \(text.utf8.count) bytes, more than \(PropertyListFunctions.maximumBytes)",
          nil)
      }
      // The parser's own message may contain the name of a member, which is part of the value.
      guard let node = try? JSONParser.parse(value: Array(text.utf8)) else {
        throw ValueFunction.unreadable("a value is not JSON", nil)
      }
      guard let value = PlainValue(node), let bytes = write(value) else {
        throw ValueFunction.unreadable(
          "a JSON text has a value that cannot be written",
          "numbers have 64 bits, and a property list has no null")
      }
      return .blob(bytes)
    }
  }

  private static func archive(
    _ selector: String, _ type: ValueType, _ make: @escaping @Sendable (Value) -> PlainValue?
  ) -> ValueFunction {
    ValueFunction(selector, takes: [type], gives: .binary, revision: "1") { values in
      make(values[0]).map { .blob($0.keyedArchive) } ?? .null
    }
  }
}
