package import PassageValues

/// What becomes of one object in a step, or of which object one was made.
package struct ObjectWay: Sendable {
  /// A part of a filter, and its answer for the object.
  package struct Condition: Sendable {
    package var text: String
    /// `nil` when it cannot be evaluated for the object.
    package var holds: Bool?
    /// Why it cannot.
    package var reason: String?
  }

  /// An attribute of the new object.
  package struct AttributeValue: Sendable {
    package var name: String
    /// What it is made from, as it is written.
    package var expression: String
    package var value: Value?
    /// Why the value cannot be told; `nil` when it can.
    package var reason: String?
  }

  /// Where a relationship of the new object leads.
  package struct Link: Sendable {
    package struct End: Sendable {
      package var sourceEntity: String
      package var sourceKey: Int64
      /// Whether the store has the object. A link may lead to none.
      package var exists = true
      /// The entity mapping that makes the object; `nil` when none takes the source object.
      package var mapping: String?
      /// `nil` when only a run tells.
      package var key: Int64?
    }

    package var name: String
    /// What is followed from the source object; `nil` when another rule decides.
    package var path: String?
    /// The first of them.
    package var ends: [End]
    package var count: Int
    /// Why the ends cannot be told; `nil` when they can.
    package var reason: String?
  }

  /// An entity mapping that reads the object's entity.
  package struct Candidate: Sendable {
    package var mappingModel: String
    package var mapping: String
    package var kind: String
    /// `nil` when the objects are removed.
    package var destination: String?
    package var policy: String?
    /// Whether the policy decides if there is an object at the key.
    package var isUpToPolicy = false
    /// Whether it takes the object; `nil` when a part of the filter cannot be evaluated.
    package var isTaking: Bool?
    package var conditions: [Condition]
    /// The new object's key; `nil` when there is none, or when only a run tells it.
    package var key: Int64?
    /// Why the key cannot be told.
    package var keyReason: String?
    package var attributes: [AttributeValue] = []
    package var links: [Link] = []
  }

  package var entity: String
  package var key: Int64
  /// The versions that the step leads from and to.
  package var source: String
  package var destination: String
  package var candidates: [Candidate]
  /// The versions that later steps lead to. Their source does not exist before a run.
  package var laterVersions: [String]
}

/// Of which source object an object of a migrated store was made.
package struct ObjectOrigin: Sendable {
  package struct Candidate: Sendable {
    package var mappingModel: String
    package var mapping: String
    package var sourceEntity: String
    /// The source object; `nil` when only the run knew it.
    package var sourceKey: Int64?
    /// Why the source object cannot be told.
    package var reason: String?
  }

  package var entity: String
  package var key: Int64
  package var source: String
  package var destination: String
  /// Empty when no entity mapping makes an object at this key.
  package var candidates: [Candidate]
}
