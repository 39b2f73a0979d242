extension MigrationPage {
  /// What can become of an object, in the order in which it is shown.
  package enum Fate: String, Sendable, Hashable, CaseIterable {
    /// It became a new object.
    case migrated
    /// It became part of an object that was made earlier.
    case merged
    /// The filter left it behind.
    case filtered
    /// It was left behind by a remove mapping or a policy.
    case removed
    /// It was put aside with a reason.
    case quarantined
    /// A new object beyond the first of a source object.
    case split
    /// A new object without a source object.
    case added
    /// Values or links that the new store does not hold.
    case lost

    /// Whether it counts objects of the source, and not new ones.
    var isOfSource: Bool {
      switch self {
      case .migrated, .merged, .filtered, .removed, .quarantined: true
      case .split, .added, .lost: false
      }
    }

    /// What it means, in one sentence without a full stop.
    var meaning: String {
      switch self {
      case .migrated: "became a new object"
      case .merged: "became part of an object made earlier"
      case .filtered: "left behind by a filter"
      case .removed: "left behind by a remove mapping or a policy"
      case .quarantined: "put aside, with the reason"
      case .split: "further objects made of one"
      case .added: "made without a source object"
      case .lost: "values or links that the new store does not hold"
      }
    }
  }

  /// What became of the objects that an entity mapping read.
  package struct Counts: Sendable, Hashable {
    package var read: Int64 = 0
    package var filtered: Int64 = 0
    package var migrated: Int64 = 0
    package var split: Int64 = 0
    package var merged: Int64 = 0
    package var removed: Int64 = 0
    package var quarantined: Int64 = 0
    package var added: Int64 = 0

    package init() {}

    /// The number of each fate that occurs, in the order in which they are shown.
    var fates: [(fate: Fate, count: Int64)] {
      Fate.allCases.compactMap { fate in
        let count = self[fate]
        return count > 0 ? (fate, count) : nil
      }
    }

    subscript(fate: Fate) -> Int64 {
      switch fate {
      case .migrated: migrated
      case .merged: merged
      case .filtered: filtered
      case .removed: removed
      case .quarantined: quarantined
      case .split: split
      case .added: added
      case .lost: 0
      }
    }

    /// Sums that would be too large stay at the largest number.
    static func + (first: Counts, second: Counts) -> Counts {
      func sum(_ count: KeyPath<Counts, Int64>) -> Int64 {
        let (sum, overflow) = first[keyPath: count].addingReportingOverflow(second[keyPath: count])
        return overflow ? .max : sum
      }
      var counts = Counts()
      counts.read = sum(\.read)
      counts.filtered = sum(\.filtered)
      counts.migrated = sum(\.migrated)
      counts.split = sum(\.split)
      counts.merged = sum(\.merged)
      counts.removed = sum(\.removed)
      counts.quarantined = sum(\.quarantined)
      counts.added = sum(\.added)
      return counts
    }
  }

  /// Values or links of one property that a step does not keep.
  package struct Loss: Sendable, Hashable {
    /// The number of the step, from 1.
    package var step: Int
    package var mapping: String
    package var entity: String
    package var property: String
    /// How they are lost, in words.
    package var words: String
    /// `nil` when they are not counted.
    package var count: Int64?

    package init(
      step: Int, mapping: String, entity: String, property: String, words: String, count: Int64?
    ) {
      self.step = step
      self.mapping = mapping
      self.entity = entity
      self.property = property
      self.words = words
      self.count = count
    }
  }
}
