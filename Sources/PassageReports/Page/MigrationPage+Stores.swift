extension MigrationPage {
  /// What a comparison of two stores found.
  package struct Comparison: Sendable {
    /// The objects of an entity, or the pairs of a many-to-many relationship.
    package struct Part: Sendable, Hashable {
      package var name: String
      package var expected: Int64
      package var found: Int64
      package var differing: Int64

      package init(name: String, expected: Int64, found: Int64, differing: Int64) {
        self.name = name
        self.expected = expected
        self.found = found
        self.differing = differing
      }
    }

    package var parts: [Part]
    /// The first differences, in words, without values.
    package var differences: [String]
    /// The number of further differences.
    package var unlistedCount: Int64

    package init(parts: [Part], differences: [String], unlistedCount: Int64) {
      self.parts = parts
      self.differences = differences
      self.unlistedCount = unlistedCount
    }
  }

  /// The migrations that a store records about itself.
  package struct Record: Sendable {
    /// One step of one of them.
    package struct Entry: Sendable, Hashable {
      package var timeText: String
      package var toolVersion: String
      package var digest: String
      package var source: String
      package var destination: String
      package var mappings: [String]
      package var read: Int64
      package var made: Int64

      package init(
        timeText: String, toolVersion: String, digest: String, source: String, destination: String,
        mappings: [String], read: Int64, made: Int64
      ) {
        self.timeText = timeText
        self.toolVersion = toolVersion
        self.digest = digest
        self.source = source
        self.destination = destination
        self.mappings = mappings
        self.read = read
        self.made = made
      }
    }

    /// The store whose record it is.
    package var storePath = ""
    /// The oldest first.
    package var entries: [Entry] = []
    /// What is to be said about the rest, in sentences.
    package var remarks: [String] = []

    package init() {}
  }
}
