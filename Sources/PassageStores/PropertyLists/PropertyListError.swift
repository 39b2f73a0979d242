/// Why bytes are not a property list that can be read.
package enum PropertyListError: Error, Sendable, Hashable {
  /// The bytes do not start with `bplist0`.
  case notABinaryPropertyList
  /// The trailer or a table lies outside the bytes.
  case truncated
  /// The object at this byte is of an unknown kind, or its length is impossible.
  case badObject(offset: Int)
  /// A reference does not lead to an object.
  case badReference
  /// Objects overlap, so that reading them would take more memory than the size of the file.
  case overlappingObjects
  /// A container contains itself.
  case cycle
  /// Containers are nested deeper than ``BinaryPropertyList/maximumDepth``.
  case tooDeep
  /// There are more than ``BinaryPropertyList/maximumObjects`` objects, or shared references would
  /// expand to more than ``BinaryPropertyList/maximumValues`` values, or more than
  /// ``BinaryPropertyList/maximumExpandedCount`` values and steps of bytes.
  case tooLarge
  /// A dictionary's key is not a string.
  case badKey
  /// A string is not ASCII or UTF-16.
  case malformedString(offset: Int)
}

extension PropertyListError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notABinaryPropertyList: "it is not a binary property list"
    case .truncated: "the property list is incomplete"
    case .badObject(let offset): "the property list has no readable object at byte \(offset)"
    case .badReference: "the property list refers to an object it does not have"
    case .overlappingObjects: "objects of the property list overlap"
    case .cycle: "the property list contains itself"
    case .tooDeep: "the property list is nested too deeply"
    case .tooLarge: "the values of the property list are too many, or too long"
    case .badKey: "a key of the property list is not a string"
    case .malformedString(let offset):
      "the string at byte \(offset) of the property list is damaged"
    }
  }
}
