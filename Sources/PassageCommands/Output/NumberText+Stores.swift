internal import Passage

extension NumberText {
  /// `1,234`, for a number of stores.
  static func count(_ stores: Int) -> String { count(Int64(stores)) }

  /// `1 store`, `2,000 stores`.
  static func count(_ stores: Int, _ singular: String) -> String { count(Int64(stores), singular) }
}
