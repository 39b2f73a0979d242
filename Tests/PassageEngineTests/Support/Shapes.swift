import Passage

// Models of tests in few words.

extension Model {
  init(_ name: String, _ entities: [Entity]) {
    self.init(name: name, versionIdentifiers: [name], entities: entities)
  }
}

extension Entity {
  init(
    _ name: String, parent: String? = nil, isAbstract: Bool = false,
    _ attributes: [Attribute] = [], _ relationships: [Relationship] = [],
    unique: [[String]] = [], indexes: [Entity.Index] = []
  ) {
    self.init(
      name: name, isAbstract: isAbstract, parentName: parent, attributes: attributes,
      relationships: relationships, uniquenessConstraints: unique, indexes: indexes)
  }
}

extension Attribute {
  static func text(_ name: String, isOptional: Bool = true, _ standard: Value = .null) -> Self {
    Attribute(name: name, type: .string, isOptional: isOptional, defaultValue: standard)
  }

  static func number(_ name: String, isOptional: Bool = true, _ standard: Value = .null) -> Self {
    Attribute(name: name, type: .integer64, isOptional: isOptional, defaultValue: standard)
  }

  static func real(_ name: String, isOptional: Bool = true, _ standard: Value = .null) -> Self {
    Attribute(name: name, type: .double, isOptional: isOptional, defaultValue: standard)
  }

  static func date(_ name: String, isOptional: Bool = true) -> Self {
    Attribute(name: name, type: .date, isOptional: isOptional)
  }
}

extension Relationship {
  static func one(
    _ name: String, _ destination: String, inverse: String? = nil, isOptional: Bool = true
  ) -> Self {
    Relationship(
      name: name, destinationEntityName: destination, inverseName: inverse, isOptional: isOptional)
  }

  static func many(
    _ name: String, _ destination: String, inverse: String? = nil, isOptional: Bool = true,
    isOrdered: Bool = false, minimum: Int = 0, maximum: Int = 0, userInfo: [String: String] = [:]
  ) -> Self {
    Relationship(
      name: name, destinationEntityName: destination, inverseName: inverse, isOptional: isOptional,
      minimumCount: minimum, maximumCount: maximum, isOrdered: isOrdered, userInfo: userInfo)
  }
}

/// A mapping model whose entity mappings are written as in a file.
func mapping(
  _ entityMappings: String, named name: String = "Step", from source: String = "1",
  to destination: String = "2"
) throws -> MappingModel {
  let text = """
    {"name": "\(name)", "source": "\(source)", "destination": "\(destination)",
     "entityMappings": [\(entityMappings)]}
    """
  return try MappingDocument.decode(Array(text.utf8), file: "\(name).json")
}
