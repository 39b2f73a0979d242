/// The position in its text at which a node of a predicate or an expression begins.
///
/// All positions are equal and do not affect a hash: two trees are equal if they have the same
/// meaning, wherever they were written.
package struct SourcePosition: Sendable, Hashable {
  /// The offset in Unicode scalars from the beginning of the text; `nil` for a node that was
  /// created in code.
  package var offset: Int?

  /// For a key path, the offsets of its components; empty if they are not known.
  var componentOffsets: [Int] = []

  /// The position of a node that is not in a text.
  package static let none = SourcePosition(offset: nil)

  /// A position `offset` scalars after the beginning of the text.
  package init(offset: Int?) { self.offset = offset }

  /// Always true; see the description of the type.
  package static func == (left: SourcePosition, right: SourcePosition) -> Bool { true }

  /// Does nothing; see the description of the type.
  package func hash(into hasher: inout Hasher) {}
}

extension SourcePosition {
  /// The position of a component of a key path, or that of the path if it is not known.
  func ofComponent(_ index: Int, of count: Int) -> SourcePosition {
    guard componentOffsets.count == count, componentOffsets.indices.contains(index) else {
      return self
    }
    return SourcePosition(offset: componentOffsets[index])
  }
}
