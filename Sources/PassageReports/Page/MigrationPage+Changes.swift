extension MigrationPage {
  /// What becomes of the properties of one entity in one entity mapping.
  package struct ChangedEntity: Sendable {
    package var mapping: String
    package var source: String?
    package var destination: String?
    /// The properties that are not taken over as they are.
    package var rows: [ChangedProperty]
    /// The number of properties that are.
    package var unchangedCount: Int

    package init(
      mapping: String, source: String?, destination: String?, rows: [ChangedProperty],
      unchangedCount: Int
    ) {
      self.mapping = mapping
      self.source = source
      self.destination = destination
      self.rows = rows
      self.unchangedCount = unchangedCount
    }
  }

  /// One property before and after.
  package struct ChangedProperty: Sendable, Hashable {
    /// `nil` when it is new.
    package var before: Property?
    /// `nil` when nothing takes its place.
    package var after: Property?
    /// Where the value comes from, or what becomes of it.
    package var words: String
    /// The expression or name that `words` speak of.
    package var code: String?
    /// Whether the values are not read, so that they are lost.
    package var isLost: Bool

    package init(
      before: Property?, after: Property?, words: String, code: String? = nil, isLost: Bool = false
    ) {
      self.before = before
      self.after = after
      self.words = words
      self.code = code
      self.isLost = isLost
    }
  }

  /// A property of a model.
  package struct Property: Sendable, Hashable {
    package var name: String
    /// Its type and traits.
    package var traits: String

    package init(name: String, traits: String) {
      self.name = name
      self.traits = traits
    }
  }
}
