package import PassageModels

/// What the values of one column of a text file are.
package struct TextColumn: Sendable, Hashable {
  /// The types of numbers that keep every digit of a text.
  static let numericTypes: [AttributeType] = [.integer64, .double]

  /// The entity of the records.
  package var entity: String
  /// The column's name.
  package var name: String
  /// The records of the entity.
  package var rows: Int64 = 0
  /// The records without a value.
  package var nils: Int64 = 0
  /// The values that can be read as each type without loss.
  package var support: [AttributeType: Int64] = [:]

  /// The first of some types that every value supports: whole numbers before numbers with a
  /// fraction. Text if there are no values.
  func type(among candidates: [AttributeType]) -> AttributeType {
    let values = rows - nils
    guard values > 0 else { return .string }
    return candidates.first { support[$0] == values } ?? .string
  }
}
