/// Where a node of a predicate or an expression begins in the text it was read from.
///
/// All positions are equal to each other, and none enters a hash: two trees are equal when they mean
/// the same, wherever they were written.
package struct SourcePosition: Sendable, Hashable {
  /// The offset in Unicode scalars from the beginning of the text; `nil` for a node that was made in
  /// code.
  package var offset: Int?

  /// Of a key path, where each of its components begins; empty where that is not known.
  var componentOffsets: [Int] = []

  /// A node that is in no text.
  package static let none = SourcePosition(offset: nil)

  /// A place `offset` scalars after the beginning of the text.
  package init(offset: Int?) { self.offset = offset }

  /// Always true; see the type.
  package static func == (left: SourcePosition, right: SourcePosition) -> Bool { true }

  /// Adds nothing; see the type.
  package func hash(into hasher: inout Hasher) {}
}

extension SourcePosition {
  /// Where a component of a key path begins; where the path does when that is not known.
  func ofComponent(_ index: Int, of count: Int) -> SourcePosition {
    guard componentOffsets.count == count, componentOffsets.indices.contains(index) else {
      return self
    }
    return SourcePosition(offset: componentOffsets[index])
  }
}
