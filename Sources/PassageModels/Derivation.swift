/// What the expression of a derived attribute computes, with all names resolved.
///
/// The forms are those of `NSDerivedAttributeDescription`: a to-one key path, a text function of
/// one, an aggregate over a to-many relationship, and the current time
/// (https://developer.apple.com/documentation/coredata/nsderivedattributedescription).
package struct Derivation: Sendable, Hashable {
  /// What is computed from the values at the end of the key path.
  package enum Function: String, Sendable, Hashable, CaseIterable {
    /// The value itself.
    case value = ""
    case uppercase
    case lowercase
    /// The text without differences of case and diacritics.
    case canonical
    case count
    case sum
    case minimum = "min"
    case maximum = "max"
    case average
    /// The time of the object's last save.
    case now

    /// Whether it aggregates the objects of a to-many relationship.
    package var isAggregate: Bool {
      switch self {
      case .count, .sum, .minimum, .maximum, .average: true
      case .value, .uppercase, .lowercase, .canonical, .now: false
      }
    }
  }

  package var function: Function
  /// The to-one relationships to follow first, from the derived attribute's entity, in order.
  package var path: [String]
  /// The to-many relationship of an aggregate, on the entity at the end of the path.
  package var collection: String?
  /// The attribute at the end; `nil` for a count and for the current time.
  package var attribute: String?

  /// The most properties that a key path may name. A statement of SQLite joins at most 64 tables
  /// (https://www.sqlite.org/limits.html).
  package static let maximumSteps = 60

  /// Creates a derivation.
  package init(
    _ function: Function, path: [String] = [], collection: String? = nil, attribute: String? = nil
  ) {
    self.function = function
    self.path = path
    self.collection = collection
    self.attribute = attribute
  }
}

/// Why a derivation cannot be computed, as a clause.
package struct DerivationMistake: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// Creates the error with a reason.
  package init(_ description: String) { self.description = description }
}

extension Model {
  /// Resolves the expression of a derived attribute.
  ///
  /// - Parameters:
  ///   - attribute: an attribute with a derivation.
  ///   - entity: the entity that has it; for an inherited attribute, any descendant.
  /// - Throws: ``DerivationMistake`` for an expression that has none of the documented forms, and
  ///   for one that uses something that is not stored.
  /// - Complexity: O(p) in the properties of the entities on the path.
  package func derivation(
    of attribute: Attribute, in entity: Entity
  ) throws(DerivationMistake) -> Derivation {
    let expression = attribute.derivation ?? ""
    guard let text = DerivationText(expression), let function = text.functionName else {
      throw DerivationMistake(
        "“\(expression.prefix(200))” is neither a key path nor a function of one")
    }
    guard let function = Derivation.Function(rawValue: function) else {
      throw DerivationMistake("the function “\(function):” is not known")
    }
    if function == .now {
      guard text.keyPath.isEmpty else {
        throw DerivationMistake("“now()” takes no argument")
      }
      return Derivation(.now)
    }
    let names = text.keyPath
    guard !names.isEmpty else { throw DerivationMistake("it does not name a property") }
    guard names.count <= Derivation.maximumSteps else {
      throw DerivationMistake(
        "its key path names \(names.count) properties, and at most \(Derivation.maximumSteps) are followed"
      )
    }
    return try resolve(names, function, from: entity)
  }

  private func resolve(
    _ names: [String], _ function: Derivation.Function, from entity: Entity
  ) throws(DerivationMistake) -> Derivation {
    var derivation = Derivation(function)
    var here = entity
    for (position, name) in names.enumerated() {
      let isLast = position == names.count - 1
      if let relationship = relationship(name, of: here) {
        guard !relationship.isTransient,
          let destination = self.entity(named: relationship.destinationEntityName)
        else { throw DerivationMistake("“\(here.name).\(name)” is not stored") }
        if !relationship.isToMany {
          derivation.path.append(name)
        } else {
          guard function.isAggregate, derivation.collection == nil else {
            throw DerivationMistake("“\(here.name).\(name)” is a to-many relationship")
          }
          derivation.collection = name
        }
        guard derivation.collection == nil || relationship.isToMany else {
          throw DerivationMistake("“\(name)” follows a to-many relationship")
        }
        here = destination
      } else if isLast, let attribute = attribute(name, of: here) {
        guard attribute.isStored, attribute.type != .composite else {
          throw DerivationMistake("“\(here.name).\(name)” is not stored")
        }
        derivation.attribute = name
      } else {
        throw DerivationMistake("“\(here.name)” has no property “\(name)” that can be used there")
      }
    }
    try check(derivation)
    return derivation
  }

  private func check(_ derivation: Derivation) throws(DerivationMistake) {
    let takesAttribute = derivation.function != .count
    guard (derivation.attribute != nil) == takesAttribute else {
      throw DerivationMistake(
        takesAttribute ? "it does not lead to an attribute" : "it does not count a relationship")
    }
    guard (derivation.collection != nil) == derivation.function.isAggregate else {
      throw DerivationMistake("it does not lead to a to-many relationship")
    }
  }
}
