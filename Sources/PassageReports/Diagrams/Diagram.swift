/// A drawing of boxes and arrows: of a model, of a mapping model or of a history. It can be written in
/// several formats.
package struct Diagram: Sendable {
  /// A line of a box.
  package struct Row: Sendable, Hashable {
    package var name: String
    /// What is said about it.
    package var text: String
    /// What a pointer over it shows; `nil` for the line itself.
    package var title: String?

    package init(_ name: String, _ text: String = "", title: String? = nil) {
      self.name = name
      self.text = text
      self.title = title
    }
  }

  /// A box.
  package struct Node: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
      case entity
      case abstractEntity
      case mapping
      case version
      case step
    }

    package var kind: Kind
    package var name: String
    /// What is said below the name; `nil` for nothing.
    package var note: String?
    package var rows: [Row]
    /// The column, from 0; `nil` when the drawing decides.
    package var column: Int?

    package init(
      _ kind: Kind, _ name: String, note: String? = nil, rows: [Row] = [], column: Int? = nil
    ) {
      self.kind = kind
      self.name = name
      self.note = note
      self.rows = rows
      self.column = column
    }
  }

  /// An arrow from box to box.
  package struct Edge: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
      /// A relationship; if it has an inverse, one arrow stands for both.
      case relationship
      /// From an entity to its parent.
      case inheritance
      /// From and to a mapping, or a step of a history.
      case flow
    }

    package var kind: Kind
    /// Positions in ``nodes``.
    package var from: Int
    package var to: Int
    /// The row at which it begins and ends; `nil` for the name of the box.
    package var fromRow: Int?
    package var toRow: Int?
    package var label: String

    package init(
      _ kind: Kind, from: Int, to: Int, fromRow: Int? = nil, toRow: Int? = nil, label: String = ""
    ) {
      self.kind = kind
      self.from = from
      self.to = to
      self.fromRow = fromRow
      self.toRow = toRow
      self.label = label
    }
  }

  /// What is drawn, in one line.
  package var title: String
  package var nodes: [Node] = []
  package var edges: [Edge] = []

  package init(title: String) { self.title = title }
}
