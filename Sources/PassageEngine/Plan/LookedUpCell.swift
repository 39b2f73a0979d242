/// A cell of a link whose related object already exists when the row is written. It is looked up
/// among the objects that candidates made from the related source object.
struct LookedUpCell: Sendable {
  /// A place where the object that a candidate made from a related object can be.
  enum Arm: Sendable {
    /// At the related object's key plus the offset; every related object has one there.
    case everyOne(source: Int, destination: Int, offset: Int64)
    /// At the related object's key plus the offset, if that row exists.
    case kept(source: Int, table: String, destination: Int, offset: Int64)
    /// At the key that an association names.
    case associated(source: Int, mapping: Int, family: ClosedRange<Int>)
  }

  var part: FoundPart<String>
  /// The source column that holds the related object's key.
  var column: String
  /// The related objects' source table.
  var table: String
  /// Whether the table has only one entity.
  var isAlone: Bool
  /// Whether every key leads to a row, and the table has only one entity. Then that row need not be
  /// read.
  var isSound: Bool
  var arms: [Arm]
}
