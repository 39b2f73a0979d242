internal import PassageExpressions
internal import PassageModels
internal import PassageValues

extension AttributeType {
  /// Whether a cell can be the stored form of an attribute of this type.
  func accepts(_ value: Value) -> Bool {
    switch (self, value) {
    case (_, .null): true
    case (.integer16, .integer(let number)): Int16(exactly: number) != nil
    case (.integer32, .integer(let number)): Int32(exactly: number) != nil
    case (.integer64, .integer), (.boolean, .integer): true
    case (.decimal, .integer), (.decimal, .text): true
    case (.double, .integer), (.float, .integer), (.date, .integer): true
    // SQLite stores what is not a number as NULL: https://www.sqlite.org/floatingpoint.html
    case (.double, .real(let number)), (.date, .real(let number)): !number.isNaN
    case (.decimal, .real(let number)), (.float, .real(let number)):
      !number.isNaN && !isExceeded(by: number)
    case (.string, .text), (.string, .malformedText), (.uri, .text), (.uri, .malformedText): true
    case (.uuid, .blob(let bytes)): bytes.count == 16
    case (.binary, .blob), (.transformable, .blob), (.composite, .blob): true
    case (.undefined, _), (.objectID, _): !value.isNotANumber
    default: false
    }
  }

  /// Whether values of the type are stored in this way, however large a number is.
  func stores(_ value: Value) -> Bool {
    switch (self, value) {
    case (.integer16, .integer), (.integer32, .integer): true
    case (.decimal, .real(let number)), (.float, .real(let number)): !number.isNaN
    default: accepts(value)
    }
  }

  /// Whether a number is finite, and larger than those that an attribute of this type can hold.
  func isExceeded(by number: Double) -> Bool {
    guard let largest = largestMagnitude else { return false }
    return number.isFinite && number.magnitude > largest
  }
}

extension Value {
  /// Whether it is a floating-point number that stands for none.
  var isNotANumber: Bool { if case .real(let number) = self { number.isNaN } else { false } }

  /// Describes what the cell holds, for messages; never the value itself.
  var kindName: String {
    switch self {
    case .null: "nil"
    case .integer: "an integer"
    case .real: "a floating-point number"
    case .text, .malformedText: "text"
    case .blob(let bytes): "\(bytes.count) bytes"
    }
  }
}
