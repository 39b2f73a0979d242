/// A cell of a link whose related object is there already when the row is written: looked up among what
/// candidates have made of the related source object.
struct LookedUpCell: Sendable {
  /// What of the related object the cell holds.
  enum Part: Sendable {
    case key
    case entityNumber
    /// The owner's place among the owners of the same object.
    case place(PlaceColumn<String>)
  }

  /// Where what a candidate has made of a related object can be.
  enum Arm: Sendable {
    /// At the related object's key, moved: of every object there is one.
    case everyOne(source: Int, destination: Int, offset: Int64)
    /// There too, if a row is there.
    case kept(source: Int, table: String, destination: Int, offset: Int64)
    /// Where an association says.
    case associated(source: Int, mapping: Int, family: ClosedRange<Int>)
  }

  var part: Part
  /// The source column that holds the related object's key.
  var column: String
  /// The related objects' source table.
  var table: String
  /// Whether every key leads to a row of an entity that is alone in its table: then that row need not be
  /// looked at.
  var isSound: Bool
  var arms: [Arm]
}
